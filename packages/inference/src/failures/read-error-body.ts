import { isObject } from "@assay/json"
import { failureOfAnswer } from "../answers/failed-answer.ts"

/** The content of an error body, independent of the server that wrote it. */
export interface ErrorBody {
  readonly message: string
  /** Class, type, title and code in one line. */
  readonly kind: string
  /** The status that the body names, for an error that comes with a 200. 502 if it has an `error` without one. */
  readonly status: number | null
  readonly param: string | null
  readonly isHtml: boolean
  readonly tokens: { readonly asked: number | null; readonly limit: number | null }
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads `{error: {…}}`, `{error: "…"}`, `{object: "error", …}`, problem style `{title, detail}`, `{detail: [{loc, msg}]}`,
 * plain text and HTML. Text that a server repeats from the request is left out, so that a prompt is not taken for an error.
 */
export function readErrorBody(text: string): ErrorBody {
  const whole = asFields(parsed(text))
  if (whole === undefined) {
    const isHtml = /^\s*(<!doctype|<html|<head|<body)/i.test(text)
    return { message: text.trim(), kind: "", status: null, param: null, isHtml, tokens: { asked: null, limit: null } }
  }
  const inner = asFields(whole["error"]) ?? whole
  const details = Array.isArray(whole["detail"]) ? whole["detail"].map((one) => asFields(one) ?? {}) : []
  const loc = details[0]?.["loc"]
  const message =
    word(inner["message"]) ??
    word(whole["error"]) ??
    word(whole["detail"]) ??
    (details.length > 0 ? details.map((one) => `${path(one["loc"])}: ${word(one["msg"]) ?? ""}`).join("; ") : null) ??
    word(whole["message"])
  const kinds = [
    inner["code"],
    inner["type"],
    whole["error_type"],
    whole["title"],
    ...details.map((one) => one["type"]),
  ]
  return {
    message: message ?? "",
    kind: kinds.filter((one) => typeof one === "string" || typeof one === "number").join(" "),
    status: statusIn(inner) ?? statusIn(whole) ?? (failureOfAnswer(whole) === undefined ? null : 502),
    param: word(inner["param"]) ?? (Array.isArray(loc) ? String(loc.at(-1)) : null),
    isHtml: false,
    tokens: { asked: count(inner["n_prompt_tokens"]), limit: count(inner["n_ctx"]) },
  }
}

function statusIn(fields: Fields): number | null {
  const codes = [fields["code"], fields["status"], fields["status_code"]].map(Number)
  return codes.find((code) => Number.isInteger(code) && code >= 400 && code < 600) ?? null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function asFields(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined
}

function word(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}

function path(loc: unknown): string {
  return Array.isArray(loc) ? loc.join(".") : ""
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isInteger(value) ? value : null
}
