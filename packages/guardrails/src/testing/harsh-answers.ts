import { JUDGE_FAMILIES, type JudgeFamily } from "@assay/schemas"
import { DAMAGES, SPLICES } from "./harsh-damages.ts"
import { SAFE_ANSWERS, UNSAFE_ANSWERS } from "./hostile-bases.ts"
import { skeletonOf } from "../verdicts/objections/skeleton.ts"
import { randomSource, type RandomSource } from "./random-source.ts"

/** A damaged answer that calls the user's message unsafe, alone or beside a safe one. */
export interface HarshAnswer {
  readonly answer: string
  readonly family?: JudgeFamily
  /** How it was made. */
  readonly kind: string
  /** The part that remains of the unsafe answer. */
  readonly remains: string
}

/** Creates `count` damaged answers. The same seed gives the same answers. */
export function* harshAnswers(count: number, seed: number): Generator<HarshAnswer> {
  const random = randomSource(seed)
  let made = 0
  while (made < count) {
    const harsh = harshAnswer(random)
    if (harsh === undefined) continue
    made += 1
    yield harsh
  }
}

function harshAnswer(random: RandomSource): HarshAnswer | undefined {
  const family = random.pick(JUDGE_FAMILIES)
  const kind = random.pick(Object.keys(DAMAGES))
  let remains = DAMAGES[kind]?.(random.pick(UNSAFE_ANSWERS[family]), random) ?? ""
  if (random.oneIn(4)) remains = DAMAGES[random.pick(Object.keys(DAMAGES))]?.(remains, random) ?? ""
  const named = random.pick([null, family, random.pick(JUDGE_FAMILIES)])
  const other = random.oneIn(2) ? family : random.pick(JUDGE_FAMILIES)
  const splice = random.pick(Object.keys(SPLICES))
  const safe = random.pick(SAFE_ANSWERS[other])
  if (!isRecognisable(remains, safe)) return undefined
  const answer = SPLICES[splice]?.(remains, safe, random) ?? ""
  return { answer, kind: `${kind}, ${splice}`, remains, ...(named === null ? {} : { family: named }) }
}

/** Statements about the response, which say nothing about the user's message, and lists of categories. */
const OTHERS =
  /(?:response[ _-]?(?:safety|harm|refusal)|refusal|harmful response|response|completion|(?:request|response)\s{0,3}safety violations)["'\s:：-]{1,6}\p{L}*/giu
/** Parts of words that mean unsafe. Shorter parts are parts of other words too. */
const UNSAFE = /unsaf|nsafe|armf(?!ul[\s_-]{0,3}re)|violat|olates|invali|nvalid|flagg|off.{0,2}topi|fail/i
const AFFIRMED = /(?<![\p{L}])(?:yes|ja|oui|(?<!(?<!is_un)safe\W{0,4})true|not safe)(?![\p{L}])|是/iu
/** A key of a verdict about the message without a value. */
const OPEN_KEY = /(?:user safety|prompt harm|harmful request|flagged|is_unsafe)["'\s:]{0,4}$/i

/** Returns whether a reader sees that the rest of an answer called the message unsafe, or that its verdict is missing. */
function isRecognisable(remains: string, safe: string): boolean {
  const shown = skeletonOf(remains).replaceAll(OTHERS, " ")
  // A word without a key of its own would be the value of an open key.
  return UNSAFE.test(shown) || AFFIRMED.test(shown) || (OPEN_KEY.test(shown) && /[:=]/.test(safe))
}
