import type { CreateInstruction } from "./instruction.ts"
import { searchKeyword } from "./keyword-search.ts"
import { isLower, isUpper, trimAtSpace, trimMarks } from "./python-text.ts"
import { isInLanguage } from "./text-language.ts"
import { splitWords } from "./english-words.ts"

/** The instructions of IFEval about words, letters, languages, and the beginning and end of an answer. */
export const TEXT_INSTRUCTIONS: Readonly<Record<string, CreateInstruction>> = {
  "keywords:existence"(given) {
    const keywords = given.texts("keywords").map((keyword) => searchKeyword(keyword))
    return (answer) => keywords.every((keyword) => keyword.isIn(answer))
  },
  "keywords:frequency"(given) {
    const keyword = searchKeyword(trimAtSpace(given.text("keyword")))
    const isRight = given.relation("relation", given.count("frequency"))
    return (answer) => isRight(keyword.count(answer))
  },
  "keywords:forbidden_words"(given) {
    const words = given.texts("forbidden_words").map((word) => searchKeyword(word, { isWord: true }))
    return (answer) => !words.some((word) => word.isIn(answer))
  },
  "keywords:letter_frequency"(given) {
    const letter = trimAtSpace(given.text("letter")).toLowerCase()
    const isRight = given.relation("let_relation", given.count("let_frequency"))
    return (answer) => isRight(letter === "" ? 0 : answer.toLowerCase().split(letter).length - 1)
  },
  "language:response_language"(given) {
    const language = given.text("language")
    return (answer) => isInLanguage(answer, language)
  },
  "combination:repeat_prompt"(given) {
    const prompt = trimAtSpace(given.text("prompt_to_repeat")).toLowerCase()
    return (answer) => trimAtSpace(answer).toLowerCase().startsWith(prompt)
  },
  "startend:end_checker"(given) {
    const phrase = trimAtSpace(given.text("end_phrase")).toLowerCase()
    return (answer) => trimMarks(trimAtSpace(answer), '"').toLowerCase().endsWith(phrase)
  },
  "startend:quotation": () => (answer) => {
    const text = trimAtSpace(answer)
    return text.length > 1 && text.startsWith('"') && text.endsWith('"')
  },
  "change_case:capital_word_frequency"(given) {
    const isRight = given.relation("capital_relation", given.count("capital_frequency"))
    return (answer) => isRight(splitWords(answer).filter(isUpper).length)
  },
  "change_case:english_capital": () => (answer) => isUpper(answer) && isInLanguage(answer, "en"),
  "change_case:english_lowercase": () => (answer) => isLower(answer) && isInLanguage(answer, "en"),
  "punctuation:no_comma": () => (answer) => !answer.includes(","),
}
