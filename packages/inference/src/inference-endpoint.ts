import { AssayError, hasUrlKey, hasUrlUser, maskUrlUser } from "@assay/schemas"

/** The endpoint of one model. */
export interface InferenceEndpoint {
  /** A base (`https://host`, `https://host/v1`), or the complete URL that ends in `/chat/completions` or `/completions`. */
  readonly url: string
  /** The name of the model at the endpoint. */
  readonly model: string
  /** Sent as a bearer token. It never appears in an error or a log. */
  readonly apiKey?: string | undefined
  /** Certificates in PEM that are trusted in addition to those of the system. */
  readonly ca?: string | undefined
}

/** The parsed URL of an endpoint. */
export interface EndpointUrl {
  /** `/chat/completions`, `/completions`, `/embeddings` and `/models` are appended to it. */
  readonly base: string
  /** The query of the given URL. It is sent with each request. */
  readonly query: Readonly<Record<string, string>>
  /** For messages: without user name, password and query. */
  readonly shown: string
  readonly protocol: "http:" | "https:"
  readonly hostname: string
  readonly port: number
}

const SUFFIX = /\/(chat\/completions|completions|embeddings|models)\/*$/
/** A path that contains a version is complete. */
const VERSION = /\/v\d\w*(\/|$)/

/**
 * Parses `https://host`, `https://host/v1` or the complete `…/chat/completions`. If the path has no version, `/v1` is
 * appended. A URL with a user name or a password is refused.
 * @throws `inference_unreachable` if the text is not such a URL, before anything is sent
 */
export function resolveEndpointUrl(text: string): EndpointUrl {
  const url = parse(text.trim())
  const isWhole = SUFFIX.test(url.pathname)
  const path = url.pathname.replace(SUFFIX, "").replace(/\/+$/, "")
  const base = `${url.origin}${isWhole || VERSION.test(path) ? path : `${path}/v1`}`
  return {
    base,
    query: Object.fromEntries(url.searchParams),
    shown: base,
    protocol: url.protocol === "https:" ? "https:" : "http:",
    hostname: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port),
  }
}

function parse(text: string): URL {
  if (hasUrlUser(text)) {
    throw unusable(
      text,
      "it contains a user name or a password; leave them out, and give a key as the secret of the endpoint",
    )
  }
  if (hasUrlKey(text)) {
    throw unusable(text, "its query contains a key; leave it out, and give it as the secret of the endpoint")
  }
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (!hasScheme) throw unusable(text, `it has no scheme; write 'http://${text}' or 'https://${text}'`)
  if (!URL.canParse(text)) {
    const port = /:(\d+)(?=[/?#]|$)/.exec(text.replace(/^\w+:\/\//, ""))?.[1]
    const reason = port !== undefined && Number(port) > 65_535 ? `port ${port} is above 65535` : "it can't be read"
    throw unusable(text, `${reason}; give a base such as 'https://host:8000/v1'`)
  }
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw unusable(text, `'${url.protocol}' is not a supported scheme; write http:// or https://`)
  }
  if (url.port === "0") throw unusable(text, "nothing listens at port 0; give the port of the model server")
  return url
}

function unusable(text: string, reason: string): AssayError {
  const shown = maskUrlUser(text).replace(/[?#].*$/, "")
  return new AssayError("inference_unreachable", `'${shown}' is not the URL of an inference endpoint: ${reason}.`, {
    context: { url: shown },
  })
}
