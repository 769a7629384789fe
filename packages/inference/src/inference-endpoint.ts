import { AssayError, hasUrlUser, maskUrlUser } from "@assay/schemas"

/** Where a model answers chat completions. */
export interface InferenceEndpoint {
  /** A base (`https://host`, `https://host/v1`) or the whole address that ends in `/chat/completions`. */
  readonly url: string
  /** The model's name there. */
  readonly model: string
  /** Sent as a bearer token; it shows in no error and no log. */
  readonly apiKey?: string
  /** Certificates in PEM that are trusted besides those of the system. */
  readonly ca?: string
}

/** The addresses of an endpoint, parsed once. */
export interface EndpointUrl {
  /** What `/chat/completions` and `/models` are appended to. */
  readonly base: string
  /** The query of the URL as given, sent with each request. */
  readonly query: Readonly<Record<string, string>>
  /** Fit to be shown: without user and query. */
  readonly shown: string
  readonly protocol: "http:" | "https:"
  readonly hostname: string
  readonly port: number
}

const SUFFIX = /\/(chat\/completions|completions|models)\/*$/
/** A version somewhere in the path says that nothing is missing. */
const VERSION = /\/v\d\w*(\/|$)/

/**
 * Takes `https://host`, `https://host/v1` and the whole `…/chat/completions`. Where the path has no version, `/v1` is
 * appended. A user name or a password is refused, wherever the URL comes from.
 * @throws `inference_unreachable` for what is no such URL, before anything is sent
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
      "it holds a user name or a password; leave them out, and give a key as the secret of the endpoint",
    )
  }
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  if (!hasScheme) throw unusable(text, `it has no scheme; write 'http://${text}' or 'https://${text}'`)
  if (!URL.canParse(text)) {
    const port = /:(\d+)(?=[/?#]|$)/.exec(text.replace(/^\w+:\/\//, ""))?.[1]
    const reason = port !== undefined && Number(port) > 65_535 ? `port ${port} is above 65535` : "it can't be read"
    throw unusable(text, `${reason}; a base such as 'https://host:8000/v1' is wanted`)
  }
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw unusable(text, `'${url.protocol}' is not a scheme that models are asked by; write http:// or https://`)
  }
  if (url.port === "0") throw unusable(text, "nothing listens at port 0; give the port of the model server")
  return url
}

function unusable(text: string, reason: string): AssayError {
  const shown = maskUrlUser(text).replace(/[?#].*$/, "")
  return new AssayError("inference_unreachable", `'${shown}' is no URL of an inference endpoint: ${reason}.`, {
    context: { url: shown },
  })
}
