/** Rows with answers that a model gave earlier: the question, the right answer, and the output. Some outputs are wrong. */
const ANSWERS = [
  ["What is the capital of France?", "Paris", "Paris"],
  ["What is the capital of Italy?", "Rome", "The capital is Rome."],
  ["What is the capital of Japan?", "Tokyo", "Tokyo"],
  ["What is the capital of Australia?", "Canberra", "Sydney"],
  ["What is the capital of Canada?", "Ottawa", "Ottawa"],
  ["What is the capital of Brazil?", "Brasília", "Brasília"],
  ["What is the capital of Kenya?", "Nairobi", "Nairobi, the largest city of the country."],
  ["What is the capital of Turkey?", "Ankara", "Istanbul"],
  ["What is the capital of Switzerland?", "Bern", "Bern, though the law names none."],
  ["What is the capital of Norway?", "Oslo", "Oslo"],
  ["What is the capital of Kazakhstan?", "Astana", "Almaty"],
  ["What is the capital of New Zealand?", "Wellington", "Wellington"],
] as const

/** Returns the answers as JSON lines. `isBetter`: a later version, which is right everywhere but once. */
export function answersAsLines(isBetter: boolean): string {
  return ANSWERS.map(([question, reference, output], index) =>
    JSON.stringify({ question, reference, output: isBetter && index > 3 ? reference : output }),
  ).join("\n")
}

/** Rows of which the last one does not follow the schema below. */
export const REVIEWS = [
  { text: "Arrived on time and works.", stars: 5 },
  { text: "Not what the picture shows.", stars: 2 },
  { text: "Fine for the price.", stars: "four" },
]
  .map((row) => JSON.stringify(row))
  .join("\n")

export const REVIEW_SCHEMA = {
  type: "object",
  required: ["text", "stars"],
  properties: { text: { type: "string" }, stars: { type: "integer", minimum: 1, maximum: 5 } },
}

/** Scores of the answers: equal to the right one, or containing it. */
export const CAPITALS_CONFIG = (filesUrl: string) => ({
  type: "custom",
  tasks: {
    capitals: {
      type: "data",
      dataset: { files_url: filesUrl },
      metrics: {
        exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } },
        mentions: {
          type: "string-check",
          params: { check: ["{{ sample.output_text }}", "contains", "{{ item.reference }}"] },
        },
      },
    },
  },
})
