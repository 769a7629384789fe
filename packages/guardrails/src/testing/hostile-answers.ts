import { JUDGE_FAMILIES, type JudgeFamily } from "@assay/schemas"
import type { JudgeMessage } from "../verdict-reading.ts"
import { NO_TAKEN_BACK, SAFE_ANSWERS, TAKEN_BACK, UNSAFE_ANSWERS } from "./hostile-bases.ts"
import { ADDITIONS, ESCAPES, LOSSES, SPELLINGS, WRAPPINGS, type Mutation } from "./hostile-mutations.ts"
import { randomSource, type RandomSource } from "./random-source.ts"

/** An answer that calls the user's message unsafe, in any disguise. */
export interface HostileAnswer {
  readonly answer: string | JudgeMessage
  /** The family to read it as. Undefined: detected. */
  readonly family?: JudgeFamily
}

/** Creates `count` hostile answers. The same seed gives the same answers. */
export function* hostileAnswers(count: number, seed: number): Generator<HostileAnswer> {
  const random = randomSource(seed)
  for (let made = 0; made < count; made += 1) yield hostileAnswer(random)
}

function hostileAnswer(random: RandomSource): HostileAnswer {
  const family = random.pick(JUDGE_FAMILIES)
  const make = random.pick([takenBack, lost, added, added, added, added])
  const text = make(family, random)
  const named = random.pick([null, family, random.pick(JUDGE_FAMILIES)])
  const isMessage = make === added && random.oneIn(16)
  return { answer: isMessage ? asMessage(text, random) : text, ...(named === null ? {} : { family: named }) }
}

/** Returns a safe answer that the text after it takes back. */
function takenBack(family: JudgeFamily, random: RandomSource): string {
  const safe = random.pick(
    SAFE_ANSWERS[family].filter((text) => /(?:safe|no|on-topic|harmful)$/i.test(text)).concat("safe"),
  )
  const whole = safe + random.pick(/^(?:answer: )?no$/i.test(safe) ? NO_TAKEN_BACK : TAKEN_BACK)
  return random.pick([
    whole,
    `**${whole}**`,
    `\`\`\`\n${whole}\n\`\`\``,
    `- ${whole}`,
    `Here is my assessment:\n${whole}`,
    `${whole}\nDone.`,
  ])
}

/** Returns an unsafe answer without a part of it. */
function lost(family: JudgeFamily, random: RandomSource): string {
  const text = random.pick(LOSSES)(random.pick(UNSAFE_ANSWERS[family]), random)
  return random.oneIn(2) ? random.pick(WRAPPINGS)(text, random) : text
}

/** Returns a complete unsafe answer, alone or beside a safe one. */
function added(family: JudgeFamily, random: RandomSource): string {
  let text = random.pick(UNSAFE_ANSWERS[family])
  const mutate = (mutations: readonly Mutation[]) => {
    text = random.pick(mutations)(text, random)
  }
  for (let left = random.below(3); left > 0; left -= 1) mutate(SPELLINGS)
  if (random.oneIn(2)) mutate(WRAPPINGS)
  if (!random.oneIn(4)) mutate(ADDITIONS)
  if (random.oneIn(3)) mutate(WRAPPINGS)
  if (random.oneIn(3)) mutate(random.oneIn(2) ? SPELLINGS : ESCAPES)
  return text
}

/** Returns the answer as a message: in parts, in a tool call, or beside one. */
function asMessage(text: string, random: RandomSource): JudgeMessage {
  const call = { type: "function", function: { name: "verdict", arguments: text } }
  return random.pick<JudgeMessage>([
    { content: text, finish_reason: "stop" },
    { content: text, finish_reason: "length" },
    { content: [{ type: "text", text }] },
    { content: null, tool_calls: [call], finish_reason: "tool_calls" },
    { content: "safe", tool_calls: [call] },
    { content: "No", tool_calls: [call] },
    { content: '{"User Safety": "safe"}', tool_calls: [call] },
    { content: null, function_call: { name: "verdict", arguments: text } },
    { content: [{ type: "tool_use", name: "verdict", input: { answer: text } }] },
  ] as JudgeMessage[])
}
