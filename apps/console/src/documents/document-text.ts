import { AssayError } from "@assay/schemas/errors"

export type DocumentFormat = "yaml" | "json"

/** Writes a document as people edit it. The library for YAML is loaded on the first use. */
export async function formatDocument(value: unknown, format: DocumentFormat): Promise<string> {
  if (format === "json") return `${JSON.stringify(value, null, 2)}\n`
  const { stringify } = await import("yaml")
  return stringify(value, { lineWidth: 100 })
}

/** Reads a document. @throws `invalid_request` with the line of the fault */
export async function parseDocument(text: string, format: DocumentFormat): Promise<unknown> {
  try {
    if (format === "json") return JSON.parse(text) as unknown
    const { parse } = await import("yaml")
    return parse(text) as unknown
  } catch (error) {
    const fault = error instanceof Error ? (error.message.split("\n\n")[0] ?? error.message) : String(error)
    throw new AssayError("invalid_request", `This is not ${format === "json" ? "JSON" : "YAML"}: ${fault}`, {
      cause: error,
    })
  }
}
