import { AssayError } from "@assay/schemas"

/**
 * Reads the exact origins of ASSAY_ALLOWED_ORIGINS, as browsers write them.
 * @throws `bad_settings` that names the entry
 */
export function parseAllowedOrigins(entries: readonly string[]): ReadonlySet<string> {
  return new Set(entries.map(parseOrigin))
}

function parseOrigin(entry: string): string {
  const url = URL.canParse(entry) ? new URL(entry) : undefined
  const isWeb = (url?.protocol === "http:" || url?.protocol === "https:") && !entry.includes("*")
  // An address ends in a slash when it is parsed; whoever writes it means the same.
  if (url !== undefined && isWeb && (url.origin === entry.toLowerCase() || `${url.origin}/` === entry.toLowerCase()))
    return url.origin
  const example = isWeb && url !== undefined ? url.origin : "https://console.example.com"
  throw new AssayError(
    "bad_settings",
    `ASSAY_ALLOWED_ORIGINS has '${entry.replace(/\/\/.*@/, "//…@")}', which is not an origin; write scheme, host and port without a path, such as ${example}.`,
  )
}
