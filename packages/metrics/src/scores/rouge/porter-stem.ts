const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ["skies", "sky"],
  ["sky", "sky"],
  ["dying", "die"],
  ["lying", "lie"],
  ["tying", "tie"],
  ["news", "news"],
  ["innings", "inning"],
  ["inning", "inning"],
  ["outings", "outing"],
  ["outing", "outing"],
  ["cannings", "canning"],
  ["canning", "canning"],
  ["howe", "howe"],
  ["proceed", "proceed"],
  ["exceed", "exceed"],
  ["succeed", "succeed"],
])

/**
 * Returns the stem of an English word in lower case. Words of one or two letters stay as they are.
 * Source: Porter, 1980, "An algorithm for suffix stripping", with the extensions of NLTK's `PorterStemmer`, which rouge-score uses.
 */
export function porterStem(word: string): string {
  const irregular = IRREGULAR.get(word)
  if (irregular !== undefined || word.length < 3) return irregular ?? word
  const third = replaceEnding(derived(yToI(withoutPast(withoutPlural(word)))), PORTER_RULES.third, 0)
  return withoutDouble(withoutE(replaceEnding(third, PORTER_RULES.fourth, 1)))
}

/** Step 1a: removes the plural. */
function withoutPlural(word: string): string {
  if (word.endsWith("ies")) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith("sses")) return word.slice(0, -2)
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word
}

/** Step 1b: removes `ed` and `ing`. */
function withoutPast(word: string): string {
  if (word.endsWith("ied")) return word.slice(0, word.length === 4 ? -1 : -2)
  if (word.endsWith("eed")) return porterStemShape(word.slice(0, -3)).measure > 0 ? word.slice(0, -1) : word
  const ending = ["ed", "ing"].find((ending) => word.endsWith(ending))
  if (ending === undefined) return word
  const stem = word.slice(0, -ending.length)
  const shape = porterStemShape(stem)
  if (!shape.hasVowel) return word
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`
  if (shape.endsInDoubleConsonant) return /[lsz]$/.test(stem) ? stem : stem.slice(0, -1)
  return shape.measure === 1 && shape.endsInCvc ? `${stem}e` : stem
}

/** Step 1c: turns y into i after a consonant, unless the consonant is the first letter. */
function yToI(word: string): string {
  if (!word.endsWith("y") || word.length < 3) return word
  const stem = word.slice(0, -1)
  return porterStemShape(stem).endsInConsonant ? `${stem}i` : word
}

/** Step 2. The l of `logi` belongs to the stem, so that short stems such as `geo` count. */
function derived(word: string): string {
  if (word.endsWith("alli") && porterStemShape(word.slice(0, -4)).measure > 0) return derived(word.slice(0, -2))
  if (word.endsWith("logi")) return porterStemShape(word.slice(0, -3)).measure > 0 ? word.slice(0, -1) : word
  return replaceEnding(word, PORTER_RULES.second, 0)
}

/** Step 5a: removes a final e. */
function withoutE(word: string): string {
  if (!word.endsWith("e")) return word
  const stem = word.slice(0, -1)
  const { measure, endsInCvc } = porterStemShape(stem)
  return measure > 1 || (measure === 1 && !endsInCvc) ? stem : word
}

/** Step 5b: removes one of two final l. */
function withoutDouble(word: string): string {
  return word.endsWith("ll") && porterStemShape(word.slice(0, -1)).measure > 1 ? word.slice(0, -1) : word
}

/** Applies the first rule with a matching ending, if the measure of the remaining stem is more than `above`. */
function replaceEnding(word: string, rules: readonly PorterRule[], above: number): string {
  const rule = rules.find(([ending]) => word.endsWith(ending))
  if (rule === undefined) return word
  const [ending, replacement] = rule
  const stem = word.slice(0, -ending.length)
  const measured = ending === "sion" || ending === "tion" ? stem + replacement : stem
  return porterStemShape(measured).measure > above ? stem + replacement : word
}

/** The properties of a stem that the rules of the Porter stemmer use. */
interface PorterStemShape {
  /** The number of consonants that follow a vowel: of VC in [C](VC)…[V]. */
  readonly measure: number
  readonly hasVowel: boolean
  readonly endsInDoubleConsonant: boolean
  readonly endsInConsonant: boolean
  /** Whether it ends in consonant, vowel, consonant, and the last is not w, x or y; or is a vowel and a consonant. */
  readonly endsInCvc: boolean
}

function porterStemShape(stem: string): PorterStemShape {
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

/** Says for each letter of a word whether it is a consonant: any letter except a, e, i, o, u, and y after a consonant. */
function porterLetters(word: string): readonly boolean[] {
  const consonants: boolean[] = []
  for (const letter of word) {
    const isVowel = "aeiou".includes(letter) || (letter === "y" && consonants.at(-1) === true)
    consonants.push(!isVowel)
  }
  return consonants
}

/** An ending and its replacement. */
type PorterRule = readonly [ending: string, replacement: string]

/** The rules of steps 2 to 4 that are plain tables. In each table, the first rule with a matching ending applies. */
const PORTER_RULES: Readonly<Record<"second" | "third" | "fourth", readonly PorterRule[]>> = {
  second: [
    ["ational", "ate"],
    ["tional", "tion"],
    ["enci", "ence"],
    ["anci", "ance"],
    ["izer", "ize"],
    ["bli", "ble"],
    ["alli", "al"],
    ["entli", "ent"],
    ["eli", "e"],
    ["ousli", "ous"],
    ["ization", "ize"],
    ["ation", "ate"],
    ["ator", "ate"],
    ["alism", "al"],
    ["iveness", "ive"],
    ["fulness", "ful"],
    ["ousness", "ous"],
    ["aliti", "al"],
    ["iviti", "ive"],
    ["biliti", "ble"],
    ["fulli", "ful"],
  ],
  third: [
    ["icate", "ic"],
    ["ative", ""],
    ["alize", "al"],
    ["iciti", "ic"],
    ["ical", "ic"],
    ["ful", ""],
    ["ness", ""],
  ],
  fourth: [
    ["al", ""],
    ["ance", ""],
    ["ence", ""],
    ["er", ""],
    ["ic", ""],
    ["able", ""],
    ["ible", ""],
    ["ant", ""],
    ["ement", ""],
    ["ment", ""],
    ["ent", ""],
    ["sion", "s"],
    ["tion", "t"],
    ["ou", ""],
    ["ism", ""],
    ["ate", ""],
    ["iti", ""],
    ["ous", ""],
    ["ive", ""],
    ["ize", ""],
  ],
}
