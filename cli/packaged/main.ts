#!/usr/bin/env node
import { run } from "../run";
import { OF_AN_APP } from "./commands";

/** The command of the package `handrail`: a client of the API, and what an app does with its database and its own workflows. */
await run(OF_AN_APP);
