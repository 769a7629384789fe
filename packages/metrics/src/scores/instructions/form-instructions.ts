import { splitAtSpace } from "../split-at-space.ts"
import { countSentences } from "./english-sentences.ts"
import type { CreateInstruction } from "./instruction.ts"
import { searchKeyword } from "./keyword-search.ts"
import { isPythonJson } from "./python-json.ts"
import { countWordCharacters, SPACE, trimAtSpace, trimMarks } from "./python-text.ts"
import { countBullets, countPlaceholders, titlesIn } from "./marked-lines.ts"

/** The fixed answers of `detectable_format:constrained_response`. */
const CHOICES = ["My answer is yes.", "My answer is no.", "My answer is maybe."]
const DIVIDER = new RegExp(String.raw`${SPACE}?\*\*\*${SPACE}?`)
const POSTSCRIPTS = new Map([
  ["P.S.", new RegExp(String.raw`p\.${SPACE}?s\.`)],
  ["P.P.S", new RegExp(String.raw`p\.${SPACE}?p\.${SPACE}?s`)],
])

/** The instructions of IFEval about the length and the form of an answer. */
export const FORM_INSTRUCTIONS: Readonly<Record<string, CreateInstruction>> = {
  "length_constraints:number_sentences"(given) {
    const isRight = given.relation("relation", given.count("num_sentences"))
    return (answer) => isRight(countSentences(answer))
  },
  "length_constraints:number_words"(given) {
    const isRight = given.relation("relation", given.count("num_words"))
    return (answer) => isRight(countWordCharacters(answer))
  },
  "length_constraints:number_paragraphs"(given) {
    const wanted = given.count("num_paragraphs")
    return (answer) => paragraphsIn(answer) === wanted
  },
  "length_constraints:nth_paragraph_first_word"(given) {
    const [wanted, nth] = [given.count("num_paragraphs"), given.count("nth_paragraph")]
    const word = given.text("first_word").toLowerCase()
    return (answer) => {
      const paragraphs = answer.split("\n\n").map(trimAtSpace)
      // The position counts blank paragraphs too, as in the reference.
      const found = paragraphs.filter((one) => one !== "").length
      const paragraph = nth > found ? "" : (paragraphs[nth - 1] ?? "")
      return paragraph !== "" && found === wanted && firstWord(paragraph) === word
    }
  },
  "detectable_content:number_placeholders"(given) {
    const wanted = given.count("num_placeholders")
    return (answer) => countPlaceholders(answer) >= wanted
  },
  "detectable_content:postscript"(given) {
    const marker = trimAtSpace(given.text("postscript_marker"))
    const known = POSTSCRIPTS.get(marker)
    const other = searchKeyword(marker.toLowerCase(), { isExact: true })
    return (answer) => (known === undefined ? other.isIn(answer.toLowerCase()) : known.test(answer.toLowerCase()))
  },
  "detectable_format:number_bullet_lists"(given) {
    const wanted = given.count("num_bullets")
    return (answer) => countBullets(answer) === wanted
  },
  "detectable_format:constrained_response": () => (answer) => CHOICES.some((choice) => answer.includes(choice)),
  "detectable_format:number_highlighted_sections"(given) {
    const wanted = given.count("num_highlights")
    return (answer) => {
      const single = answer.match(/\*[^\n*]*\*/g) ?? []
      const double = answer.match(/\*\*[^\n*]*\*\*/g) ?? []
      return [...single, ...double].filter((one) => trimAtSpace(trimMarks(one, "*")) !== "").length >= wanted
    }
  },
  "detectable_format:multiple_sections"(given) {
    const wanted = given.count("num_sections")
    const marker = trimAtSpace(given.text("section_spliter"))
    const sections = searchKeyword(marker, { isExact: true, tail: String.raw`${SPACE}?\p{Nd}+` })
    return (answer) => sections.count(answer) >= wanted
  },
  "detectable_format:json_format": () => (answer) => isPythonJson(unfenced(answer)),
  "detectable_format:title": () => (answer) =>
    titlesIn(answer).some((title) => trimAtSpace(title.replace(/^<+/, "").replace(/>+$/, "")) !== ""),
  "combination:two_responses": () => (answer) => {
    const parts = answer.split("******").map(trimAtSpace)
    const isSplit = parts.every((part, at) => part !== "" || at === 0 || at === parts.length - 1)
    const [first, second, ...others] = parts.filter((part) => part !== "")
    return isSplit && second !== undefined && others.length === 0 && first !== second
  },
}

/** Counts the paragraphs between dividers `***`; undefined if one that is neither the first nor the last is blank. */
function paragraphsIn(answer: string): number | undefined {
  const parts = answer.split(DIVIDER).map(trimAtSpace)
  if (parts.some((part, at) => part === "" && at > 0 && at < parts.length - 1)) return undefined
  return parts.filter((part) => part !== "").length
}

/** Returns the first word in lower case, up to its first punctuation mark. Quotation marks before it do not count. */
function firstWord(paragraph: string): string {
  const [word = ""] = splitAtSpace(paragraph)
  return (
    word
      .replace(/^'+/, "")
      .replace(/^"+/, "")
      .split(/[.,?!'"]/, 1)[0] ?? ""
  ).toLowerCase()
}

function unfenced(answer: string): string {
  let text = trimAtSpace(answer)
  for (const fence of ["```json", "```Json", "```JSON", "```"])
    text = text.startsWith(fence) ? text.slice(fence.length) : text
  return trimAtSpace(text.endsWith("```") ? text.slice(0, -"```".length) : text)
}
