import {
  AlarmClock,
  Ban,
  CopyPlus,
  GitBranch,
  HelpCircle,
  type LucideIcon,
  MessageCircleReply,
  Pause,
  Play,
  RotateCcw,
  Send,
  Undo2,
  UserCheck,
  UserPlus,
} from "lucide-react";
import type { ActionIcon } from "@/lib/actions/action";

/** What actions show on their buttons, by the names that their files give. */
export const ACT_ICONS: Record<ActionIcon, LucideIcon> = {
  again: RotateCcw,
  question: HelpCircle,
  person: UserCheck,
  add_person: UserPlus,
  undo: Undo2,
  pause: Pause,
  play: Play,
  clock: AlarmClock,
  answer: MessageCircleReply,
  send: Send,
  branch: GitBranch,
  copy: CopyPlus,
  stop: Ban,
};
