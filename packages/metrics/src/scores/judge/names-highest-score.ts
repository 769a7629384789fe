import type { FoundGroup } from "../checks/create-linear-pattern.ts"

const AFTER_SCORE = /\d[*`]{0,3}(?:\s?\/\s?|\sout of\s)$/
/** A noun after it would make the fraction one of something else, as in `3 out of 5 claims`. */
const BEFORE_END = /^[*`]{0,3}\s{0,3}(?:$|[.,;:!?)\]<\n]|(?:because|since|as|for|but|and|points?|stars?)(?!\p{L}))/u

/** Returns whether a found number is not a score, but names the highest one after a score, as 5 does in `4/5` and `4 out of 5`. */
export function namesHighestScore(answer: string, { value = "", start, end }: FoundGroup, highest: number): boolean {
  return (
    Number(value) === highest &&
    AFTER_SCORE.test(answer.slice(Math.max(0, start - 16), start)) &&
    BEFORE_END.test(answer.slice(end, end + 16))
  )
}
