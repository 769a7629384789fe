/** Encodes every byte of the text's UTF-8 but the unreserved ones of RFC 3986, as both signatures want it. */
export function encodePercent(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** A key as the path of a request. Nothing is normalised: `a//b`, `./a` and `a/../b` are three keys. */
export function encodeKey(key: string): string {
  return key.split("/").map(encodePercent).join("/")
}

export function encodeQuery(query: Readonly<Record<string, string>>): string {
  return Object.entries(query)
    .map(([name, value]) => `${encodePercent(name)}=${encodePercent(value)}`)
    .join("&")
}
