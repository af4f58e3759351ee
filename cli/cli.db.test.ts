import "./testing/one-run.cases";
import "./testing/many-runs.cases";
import "./testing/nouns.cases";
import "./testing/program.cases";
import "./testing/shells.cases";
import "./testing/terminal.cases";
import { openSetting } from "./testing/setting";

/* The real program against a real console, on pipes and on a terminal: cases by subject, which share the console. */
openSetting();
