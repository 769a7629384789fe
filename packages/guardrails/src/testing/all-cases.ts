import type { JudgeFamily } from "@assay/schemas"
import {
  GRANITE_CASES,
  LLAMA_GUARD_CASES,
  QWEN_CASES,
  SELF_CHECK_CASES,
  TOOL_SAFETY_CASES,
  TOPIC_CASES,
  YES_NO_CASES,
} from "./bare-cases.ts"
import {
  DYNAGUARD_CASES,
  GPT_OSS_CASES,
  GUARDREASONER_CASES,
  KANANA_CASES,
  POLYGUARD_CASES,
  SGUARD_CASES,
} from "./guard-cases.ts"
import { FLAGGED_CASES, JSON_CASES } from "./json-cases.ts"
import { HARM_CASES, LINES_CASES, WILDGUARD_CASES } from "./lines-cases.ts"
import type { VerdictCase } from "./verdict-case.ts"

/** The cases of every family. */
export const ALL_CASES: Readonly<Record<JudgeFamily, readonly VerdictCase[]>> = {
  "user-safety-json": JSON_CASES,
  "user-safety-lines": LINES_CASES,
  "harm-lines": HARM_CASES,
  "llama-guard": LLAMA_GUARD_CASES,
  qwen3guard: QWEN_CASES,
  wildguard: WILDGUARD_CASES,
  "granite-guardian": GRANITE_CASES,
  shieldgemma: YES_NO_CASES,
  "self-check": SELF_CHECK_CASES,
  "topic-control": TOPIC_CASES,
  "flagged-json": FLAGGED_CASES,
  "tool-safety": TOOL_SAFETY_CASES,
  polyguard: POLYGUARD_CASES,
  guardreasoner: GUARDREASONER_CASES,
  dynaguard: DYNAGUARD_CASES,
  "kanana-safeguard": KANANA_CASES,
  sguard: SGUARD_CASES,
  "gpt-oss-safeguard": GPT_OSS_CASES,
}
