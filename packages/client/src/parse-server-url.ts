import { AssayError } from "@assay/schemas/errors"

/** The address of a server without a slash at its end. @throws `bad_settings` for what is no http or https address */
export function parseServerUrl(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new AssayError(
      "bad_settings",
      `'${url}' is not the address of a server: write it like http://127.0.0.1:8080.`,
    )
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`
}
