import { porterLetters } from "./porter-letters.ts"

/** What the rules of the Porter stemmer ask of a stem. */
export interface PorterStemShape {
  /** How often a consonant follows a vowel: the number of VC in [C](VC)…[V]. */
  readonly measure: number
  readonly hasVowel: boolean
  readonly endsInDoubleConsonant: boolean
  readonly endsInConsonant: boolean
  /** Ends in consonant, vowel, consonant, the last none of w, x, y; or is a vowel and a consonant. */
  readonly endsInCvc: boolean
}

/** The shape of a stem. */
export function porterStemShape(stem: string): PorterStemShape {
  const consonants = porterLetters(stem)
  const last = stem.length - 1
  let measure = 0
  for (let at = 1; at <= last; at += 1) if (consonants[at] === true && consonants[at - 1] === false) measure += 1
  const endsInConsonant = consonants[last] === true
  const endsInVc = endsInConsonant && consonants[last - 1] === false
  return {
    measure,
    hasVowel: consonants.includes(false),
    endsInDoubleConsonant: endsInConsonant && last > 0 && stem[last] === stem[last - 1],
    endsInConsonant,
    endsInCvc: endsInVc && (last === 1 || (consonants[last - 2] === true && !"wxy".includes(stem[last] ?? ""))),
  }
}
