import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** Takes any input, and has a tag and a mask, so that a start does all that a start can do. */
export const workflows = [
  defineWorkflow(
    {
      name: "takes-anything",
      version: 1,
      title: "Takes anything",
      input: z.unknown(),
      tags: () => ({ kind: "anything" }),
      masked: ["card.number"],
    },
    async () => null,
  ),
];
