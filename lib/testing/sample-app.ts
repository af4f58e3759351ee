import demo from "../../demo/app";

const { blobs: _, ...rest } = demo;

/** The demo's app without its blob store, which most apps do not have: a test with one brings its own. */
const sampleApp: typeof demo = rest;
export default sampleApp;
