export { default } from "./workflows.js";
