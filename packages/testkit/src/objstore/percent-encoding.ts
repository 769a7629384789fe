/** The text whose UTF-8 is percent-encoded in `text`, or undefined where it encodes no UTF-8. */
export function decodePercent(text: string): string | undefined {
  if (/%(?![0-9a-f]{2})|[^\x21-\x7e]/i.test(text)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Encodes every byte but the unreserved ones of RFC 3986, as signatures of version 4 want it. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Like `encodePercent`, but leaves slashes. */
export function encodePath(text: string): string {
  return encodePercent(text).replaceAll("%2F", "/")
}
