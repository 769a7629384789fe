import { built, type Requirement } from "./requirement.ts"

/** The chat-completions client and the readings of judges' answers. */
export const GUARDRAILS_CLIENT: readonly Requirement[] = [
  ...built("guardrails §1: The client", {
    "inference.url-forms": "A URL is a base or the whole address of chat completions.",
    "inference.lenient": "Answers are read leniently, prompt_logprobs and stop_reason included.",
    "inference.stream": "Streamed answers are read, and end with the connection in a coded error.",
    "inference.coded":
      "Each failure has a code: unreachable, TLS, unauthorized, model unknown, rate limited, timed out, bad answer.",
    "inference.tls":
      "A TLS failure names the certificate's problem and how to trust it, versions before 1.2, or a reset of the handshake.",
    "inference.ca": "A certificate authority of the user's own is trusted where it is given.",
    "inference.server-bodies": "The error bodies of the servers that people run are told apart.",
    "inference.retry":
      "408, 409, 429, 5xx and broken connections are tried again with Retry-After obeyed; exhausted quota never.",
    "inference.rate-limit":
      "A call that may wait for rate limits waits up to its limit in all, as Retry-After says, and such tries count as no retries.",
    "inference.answer-limits":
      "An answer beyond its limits of size, depth or parts is refused before it is parsed or kept.",
    "inference.timeout": "The time limit covers the body.",
    "inference.key-hidden": "The key shows in no error, no log and no result.",
    "inference.context-numbers": "A prompt that is too long is told with both token numbers.",
    "inference.python-signals": "Errors of Python services behind the endpoint are recognised by their texts.",
  }),
  ...built("guardrails §2: Verdicts", {
    "verdict.total": "Reading never throws and always answers with a verdict or a reason.",
    "verdict.never-guesses-safe": "No mutation of an unsafe answer is read as safe, but for those listed as ambiguous.",
    "verdict.families": "The answers of all families are read.",
    "verdict.detected": "The family is detected where none is given.",
    "verdict.reasoning": "A verdict inside reasoning never counts.",
    "verdict.contradictory":
      "Verdicts that disagree are contradictory, of whatever families; neither the first nor the last wins.",
    "verdict.closing-tag": "A verdict before a closing tag that nothing opened has to agree with the one after it.",
    "verdict.whole-value": "A value that is hedged, negated or taken back by a remark is unreadable.",
    "verdict.understood": "A safe verdict stands only if all that stands beside it in the answer is understood.",
    "verdict.realistic": "Safe answers as judges write them, with reasons and fields beside the verdict, are read.",
    "verdict.tool-call": "The arguments of tool calls are read as part of the answer.",
    "verdict.duplicate-keys": "Duplicate keys of one object are looked at before parsing hides them.",
    "verdict.safe-with-categories": "Safe with categories listed keeps both.",
    "verdict.category-family": "Categories keep their family; tables and mappings are data.",
    "verdict.response-only": "An input rail that gets only a response verdict has an unreadable answer.",
    "verdict.linear": "Reading takes linear time on hostile input.",
    "verdict.idempotent": "Reading a verdict's own canonical form gives the same verdict.",
    "verdict.message": "Refusals, content filters and reasoning fields of a whole message are told.",
    "verdict.self-check-languages": "Self-checks answer yes and no in the languages of a data file.",
  }),
  ...built("guardrails §2: Verdicts", {
    "verdict.reference": "The reference answers are read as demanded.",
    "verdict.normalised": "Marks, quotes, entities and template tokens are normalised before reading.",
    "verdict.keys": "Keys match without regard to case, blanks, underscores or camel case.",
    "verdict.unknown-value":
      "Booleans, numbers, translations, look-alike letters and copied placeholders are unknown values.",
    "verdict.damaged": "Damage is read when the verdict's own value is whole.",
    "verdict.truncated": "A cut value is truncated; a cut category list keeps the verdict.",
    "verdict.prose": "Prose is no verdict.",
  }),
]
