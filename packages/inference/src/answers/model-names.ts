/** The names in a list of models: `{data: [{id}]}`, or `{models: [{name}]}` as some servers have it. */
export function modelNames(answer: unknown): readonly string[] | undefined {
  const { data, models } = (typeof answer === "object" && answer !== null ? answer : {}) as {
    data?: unknown
    models?: unknown
  }
  const list = Array.isArray(data) ? data : models
  if (!Array.isArray(list)) return undefined
  return list
    .map((one: { id?: unknown; name?: unknown } | null) => one?.id ?? one?.name)
    .filter((name) => typeof name === "string")
}
