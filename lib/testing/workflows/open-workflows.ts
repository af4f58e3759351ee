import { z } from "zod";
import { defineWorkflow } from "../../engine/workflows/workflow";

/** Takes any input, with a tag and a mask, so that a start does all its work. */
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
