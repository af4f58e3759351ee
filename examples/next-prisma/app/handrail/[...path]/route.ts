import { nextHandlers } from "handrail/next";
import { handrail } from "../../../src/handrail";

/** For other programs, with tokens made in the console. */
export const { GET, POST } = nextHandlers(handrail);
