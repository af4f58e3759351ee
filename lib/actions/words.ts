import type { OperatorAct, PlannedActName } from "../engine/runs/operator-acts";
import type { PlanWords, Words } from "./action";
import { answerWords } from "./answer";
import { assignWords } from "./assign";
import { cancelWords } from "./cancel";
import { compensateWords } from "./compensate";
import { deleteWords } from "./delete";
import { eraseWords } from "./erase";
import { markCompensatedWords } from "./mark-compensated";
import { moveWords } from "./move";
import { pauseWords } from "./pause";
import { rerunWords } from "./rerun";
import { resumeWords } from "./resume";
import { sendEventWords } from "./send-event";
import { settleWords } from "./settle";
import { snoozeWords } from "./snooze";
import { startAgainWords } from "./start-again";
import { wakeWords } from "./wake";

/** The words of every action. Apart from the actions, so that a browser loads nothing else of them. */
export const WORDS: Record<OperatorAct, Words> & Record<PlannedActName, { plan: PlanWords }> = {
  rerun: rerunWords,
  pause: pauseWords,
  resume: resumeWords,
  wake: wakeWords,
  cancel: cancelWords,
  compensate: compensateWords,
  settle: settleWords,
  mark_compensated: markCompensatedWords,
  assign: assignWords,
  answer: answerWords,
  send_event: sendEventWords,
  move: moveWords,
  start_again: startAgainWords,
  snooze: snoozeWords,
  delete: deleteWords,
  erase: eraseWords,
};
