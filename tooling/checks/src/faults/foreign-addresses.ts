import { Visitor } from "oxc-parser"
import type { SourceFile } from "../reading/source-file.ts"

/** This machine (127.0.0.0/8), and the names that are reserved for examples (RFC 2606, RFC 6761). */
const HARMLESS =
  /^(127(\.\d{1,3}){3}|localhost|\[::1\]|\[::ffff:127\.0\.0\.1\]|[^.]+|(.+\.)?(example|invalid|test)|(.+\.)?example\.(com|org|net))$/
/** Networks that the internet does not route: private and link-local ones (RFC 1918, RFC 3927). */
const UNROUTED = /^(10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+)$/
/** Defaults of storage configurations. Tests write them into records and never dial them. */
const DEFAULTS = new Set(["huggingface.co", "api.ngc.nvidia.com"])
/** Addresses of the default object store. Tests compare such names and never dial them. */
const DEFAULT_STORE = /(^|\.)s3\.[a-z\d-]+\.amazonaws\.com$/
/** Names of formats that look like addresses. */
const FORMATS = ["http://s3.amazonaws.com/doc/2006-03-01/", "https://git-lfs.github.com/spec/v1"]

/** A mark that a text without addresses lacks. Most sources need no visit because of it. */
const SCHEME = /(https?|wss?|postgres):/i

/** Returns the hosts of other machines that the strings of a source name as addresses. */
export function foreignAddresses(source: SourceFile): readonly string[] {
  const found: string[] = []
  if (!SCHEME.test(source.text)) return found
  const look = (written: string) => {
    const text = written.toLowerCase()
    const rest = FORMATS.reduce((left, name) => left.replaceAll(name, ""), text)
    for (const [, host = ""] of rest.matchAll(
      /\b(?:https?|wss?|postgres):\/\/(?:[^/\s@]*@)?(\[[^\]]*\]|[^/\s:?#"'`)]*)/g,
    )) {
      if (
        host !== "" &&
        !HARMLESS.test(host) &&
        !UNROUTED.test(host) &&
        !DEFAULTS.has(host) &&
        !DEFAULT_STORE.test(host)
      )
        found.push(`${source.path}: ${host}`)
    }
  }
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") look(node.value)
    },
    TemplateElement(node) {
      look(node.value.raw)
    },
  }).visit(source.program)
  return found
}
