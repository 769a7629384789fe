/** Maximum number of characters of a value. Scores and labels are shorter. */
const LONGEST = 200
const OPENING_QUOTE = /["'“”‘’]/
/** Verbs between a key and its value, as in `the quality is a 4`. */
const VERB = String.raw`(?:is|was|equals|(?:should|would|must) be)(?:\s(?:a|an|rated|just|only))?(?=\s)`
/** Signs between a key and its value. */
const SIGN = String.raw`(?::|=>?|：|->|→|\||[-–—](?=\s)|${VERB})`
const SEPARATOR = new RegExp(String.raw`^\\?["'“”‘’]\s{0,20}${SIGN}\s{0,20}\\?(["'“”‘’]?)`)
/** Between a key in prose and its value, with the marks of bold text, `score` after the key, and the scale in brackets. */
const PROSE_SEPARATOR = new RegExp(
  String.raw`^[*\x60_]{0,3}(?:\s(?:score|rating))?(?:\s?\([^()\n]{1,40}\))?[*\x60_]{0,3}\s{0,20}${SIGN}\s{0,20}[*\x60]{0,3}\s{0,3}(["'“”‘’]?)`,
  "i",
)
/** The judge's own statement under no key, as in `My rating: 2`. */
const OWN = /(?<!\p{L})(?:my|final)\s(?:final\s)?(?:score|rating|grade|verdict|judge?ment)(?!\p{L})/giu
/** A judge's own sentence that ends in a number, as in `I would rate this 2/5`, `it gets a 1` and `this one deserves quality 1`. */
const SENTENCE = new RegExp(
  String.raw`(?<!\p{L})(?:I(?:['’](?:d|ll|ve))?(?:\s(?:would|will|must|can only|have|therefore|thus|finally|only)){0,3}\s(?:rate|rated|give|gave|given|assign|assigned|award|grade|score|scored)|` +
    String.raw`(?:it|this|that|(?:this|the|that)\s(?:one|answer|response|output|reply|text|summary))(?:\s(?:only|still|really|therefore|just))?\s(?:gets|deserves|earns|merits|receives|scores|is worth))` +
    String.raw`(?:\s(?!\d)[\p{L}*_\x60'"“”’]{1,20}){0,5}?\s[*\x60"'“]{0,3}(?=\d)`,
  "giu",
)
/** The text that may follow the number of such a sentence: its scale, and an end. */
const ENDED =
  /^\d+(?:\.\d+)?[*\x60"'”]{0,3}(?:\s?\/\s?\d+|\sout of\s\d+)?[*\x60"'”]{0,3}\s{0,3}(?:$|[.,;:!?)\]{\n]|(?:because|since|as|for|but|and|points?|stars?)(?!\p{L}))/u
/** A judge's own sentence that chooses a word, as in `I prefer B`, `I would rate it poor` and `Answer B is better.` The word is in one of the groups. */
const CHOSEN = [
  /(?<!\p{L})I(?:['’](?:d|ll))?(?:\s(?:would|will|must|have to|therefore|thus|finally|clearly|only)){0,3}\s(?:choose|chose|prefer|pick|select|vote for|go with|rate|grade|label|classify)(?:\s(?:it|this|that|the|as|answer|response|reply|output|option|text)){0,4}\s[*`"'“]{0,3}(?<word>[\p{L}_-]{1,40})(?=[*`"'”]{0,3}\s{0,3}(?:$|[.,;:!)\n{]|(?:because|since|as|over|here)(?!\p{L})))/giu,
  /(?<![\p{L}\p{N}])[*`"'“]{0,3}(?<word>[\p{L}_-]{1,40})[*`"'”]{0,3}\s(?:wins|(?:is|was)(?:\s(?:clearly|much|slightly|overall|the)){0,2}\s(?:better|best|winner)(?:\s(?:answer|one|response|option|overall)){0,2})(?=\s{0,3}(?:$|[.,;:!)\n{]|(?:because|since)(?!\p{L})))/giu,
]
/** The end of a tag that is the key, as in `<quality>1</quality>`. */
const TAG_END = /^>\s{0,20}(["'“”‘’]?)/
const WORD = /[\p{L}\p{N}_-]/u
/** A number, or words, at the beginning of a value. */
const LEAD = /^(?:[+-]?\d+(?:\.\d+)?|[\p{L}_-]+)/u
/** Between two values, this makes them a range or a choice, as in the form that a prompt asks for. */
const CHOICE = /^\s*(?:to\b|or\b|through\b|[-–—|/]|\.{2,3})\s*["'“”‘’]?/
/** A value out of the highest one, as in `4/5`. */
const OUT_OF = /^\s*\/\s*\d+(?!\s*[/|,\d])/

/**
 * Returns the values that a text gives a key, as a model writes them in damaged JSON, `"score": 1 (poor)`, and in prose: `Score: 1`,
 * `**Score:** 1`, `<score>1</score>`, `the score is 1`, and for any key `my rating: 1`, `I would rate this 1/5` and `B is better`. Each value comes in all its possible readings: as a whole, and up to
 * its first word. Ranges and choices, such as `1-5`, are left out; `isValue` decides whether a word is one of the values to choose from.
 */
export function claimedValues(
  text: string,
  key: string,
  isValue: (value: unknown) => boolean,
): readonly (readonly unknown[])[] {
  const claims: (readonly unknown[])[] = []
  if (key === "") return claims
  for (const { end, form } of keyPositions(text, key)) {
    const separator = SEPARATORS[form].exec(text.slice(end, end + LONGEST))
    if (separator === null) continue
    const from = end + separator[0].length
    const value = text.slice(from, from + LONGEST)
    const written =
      separator[1] === "" ? value.replace(/[,}\]\n<][\s\S]*$/, "") : value.replace(/\\?["'“”‘’][\s\S]*$/, "")
    const lead = LEAD.exec(written)?.[0] ?? ""
    if (isChoice(written.slice(lead.length), isValue)) continue
    claims.push([...new Set([written.trim(), lead])].map(scalarOf))
  }
  return [...claims, ...ownNumbers(text), ...chosenWords(text), ...deniedKeys(text, key)]
}

/** Returns the words that the judge's own sentences choose. */
function chosenWords(text: string): readonly (readonly unknown[])[] {
  return CHOSEN.flatMap((sentence) => [...text.matchAll(sentence)].map(({ groups }) => [groups?.["word"] ?? ""]))
}

/** Returns false for each place that denies the key, as in `it is not useful`. */
function deniedKeys(text: string, key: string): readonly (readonly unknown[])[] {
  const denied = new RegExp(
    String.raw`(?:\bnot|n['’]t|\bnever)\s(?:(?!only)\p{L}{1,20}\s)?${patternOf(key)}(?![\p{L}\p{N}_])`,
    "giu",
  )
  return [...text.matchAll(denied)].map(() => [false])
}

/** Returns the numbers that the judge's own sentences end with. */
function ownNumbers(text: string): readonly (readonly unknown[])[] {
  return [...text.matchAll(SENTENCE)].flatMap(({ index, 0: found }) => {
    const value = text.slice(index + found.length, index + found.length + LONGEST)
    return ENDED.test(value) ? [[scalarOf(LEAD.exec(value)?.[0] ?? "")]] : []
  })
}

/** Returns whether a value is followed by another one to choose from. `4/5` is 4, and `5 - very good` is 5. */
function isChoice(after: string, isValue: (value: unknown) => boolean): boolean {
  const sign = CHOICE.exec(after)?.[0]
  if (sign === undefined || OUT_OF.test(after)) return false
  const next = LEAD.exec(after.slice(sign.length))?.[0] ?? ""
  return next !== "" && isValue(scalarOf(next))
}

interface KeyPosition {
  readonly end: number
  readonly form: "quoted" | "tag" | "prose"
}

const SEPARATORS: Readonly<Record<KeyPosition["form"], RegExp>> = {
  quoted: SEPARATOR,
  tag: TAG_END,
  prose: PROSE_SEPARATOR,
}

/** Yields where a key stands after a quotation mark, or as a word of its own, in any case and with spaces for its underscores. */
function* keyPositions(text: string, key: string): Generator<KeyPosition, void, undefined> {
  for (const { index, 0: found } of text.matchAll(new RegExp(patternOf(key), "giu"))) {
    const before = text.charAt(index - 1)
    const end = index + found.length
    if (OPENING_QUOTE.test(before)) yield { end, form: "quoted" }
    else if (before === "<" && text.charAt(end) === ">") yield { end, form: "tag" }
    else if (!WORD.test(before)) yield { end, form: "prose" }
  }
  for (const { index, 0: found } of text.matchAll(OWN)) yield { end: index + found.length, form: "prose" }
}

function patternOf(key: string): string {
  return key.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`).replaceAll("_", "[_ ]")
}

function scalarOf(word: string): unknown {
  if (word === "true" || word === "false") return word === "true"
  return /^-?\d+(?:\.\d+)?$/.test(word) ? Number(word) : word
}
