/** A browser without pages: it keeps the cookies of each origin, and follows redirects by hand. */
export interface CookieBrowser {
  /** Opens an address as a person does who follows a link. */
  open(url: string): Promise<Response>
  /** Opens an address and follows redirects until one leads to `stop`, or none is left. Returns the last address and answer. */
  follow(url: string, stop?: string): Promise<{ readonly url: string; readonly response: Response }>
  /** The cookies of an origin as a header. */
  cookies(origin: string): string
}

const MAX_REDIRECTS = 10

export function createCookieBrowser(): CookieBrowser {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const cookies = (origin: string) => [...jarOf(origin)].map(([name, value]) => `${name}=${value}`).join("; ")
  const open = async (url: string) => {
    const { origin } = new URL(url)
    const headers = { cookie: cookies(origin), accept: "text/html", "sec-fetch-site": "cross-site" }
    const response = await fetch(url, { redirect: "manual", headers })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      const name = pair.slice(0, pair.indexOf("="))
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jarOf(origin).delete(name)
      else jarOf(origin).set(name, pair.slice(pair.indexOf("=") + 1))
    }
    return response
  }
  return {
    open,
    cookies,
    async follow(from, stop) {
      let url = from
      for (let count = 0; count < MAX_REDIRECTS; count += 1) {
        const response = await open(url)
        const location = response.headers.get("location")
        if (location === null) return { url, response }
        url = new URL(location, url).href
        if (stop !== undefined && url.startsWith(stop)) return { url, response }
      }
      throw new Error(`More than ${MAX_REDIRECTS} redirects, the last to ${url}`)
    },
  }
}
