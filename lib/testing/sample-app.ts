import demo from "../../demo/app";

const { blobs: _, ...rest } = demo;

/** The demo's app with what every app has: a test that has a blob store brings its own. */
const sampleApp: typeof demo = rest;
export default sampleApp;
