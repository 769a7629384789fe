import { AssayError, hasUrlUser, maskUrlUser } from "@assay/schemas/errors"

/** The address of a server without a slash at its end. @throws `bad_settings` for what is no http or https address, or one with a user name */
export function parseServerUrl(url: string): string {
  if (hasUrlUser(url)) {
    const shown = maskUrlUser(url)
    throw new AssayError(
      "bad_settings",
      `'${shown}' holds a user name or a password: leave them out, and give the token in ASSAY_TOKEN.`,
    )
  }
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new AssayError(
      "bad_settings",
      `'${url}' is not the address of a server: write it like http://127.0.0.1:8080.`,
    )
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`
}
