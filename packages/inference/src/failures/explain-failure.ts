import { anySignal, firstCode } from "@assay/http"
import { nearestNames } from "@assay/schemas"
import type { Dispatcher } from "undici"
import type { Connection } from "../transport/open-connection.ts"
import type { Failure, FailureRecord } from "./failure.ts"

const PATIENCE_MS = 2000
/** Codes of connections that a TLS port closes when it receives plain HTTP. */
const CLOSED = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])

export interface ExplainOptions {
  readonly connection: Connection
  readonly listModels: (signal: AbortSignal) => Promise<readonly string[]>
  readonly signal: AbortSignal | undefined
}

/** Adds what one more request finds out within 2 seconds: the names of similar models, or that the server speaks TLS. */
export async function explainFailure(
  failure: Failure,
  record: FailureRecord,
  { connection, listModels, signal }: ExplainOptions,
): Promise<Failure> {
  const patience = anySignal(AbortSignal.timeout(PATIENCE_MS), signal)
  if (failure.code === "model_not_found") {
    const names = await listModels(patience).catch(() => [])
    return names.length === 0 ? failure : withNames(failure, record, names)
  }
  const closed = CLOSED.has(firstCode(record.broke)?.code ?? "") && record.status === null
  if (record.protocol === "http:" && closed && (await speaksTls(connection.dispatcher, record.host, patience))) {
    const facts = { tls_problem: "tls-expected" }
    const url = record.url.replace(/^http:/, "https:")
    return {
      code: "inference_tls",
      reason: `${record.host} speaks TLS, and the request was sent without it`,
      advice: `use '${url}'`,
      facts,
    }
  }
  return failure
}

const SHOWN = 5

function withNames(failure: Failure, { model }: FailureRecord, names: readonly string[]): Failure {
  if (names.includes(model)) {
    return {
      ...failure,
      advice: `the endpoint lists '${model}', so it may serve the model for another kind of request only`,
    }
  }
  const near = nearestNames(model, names)
  const shown = (near.length === 0 ? names.slice(0, SHOWN) : near).map((name) => `'${name}'`).join(", ")
  const advice =
    near.length === 0
      ? `the endpoint has no model '${model}'; it has ${shown}${names.length > SHOWN ? ` and ${names.length - SHOWN} more` : ""}`
      : `the endpoint has no model '${model}'; similar names are ${shown}`
  return { ...failure, advice, facts: { ...failure.facts, near_models: near, model_count: names.length } }
}

/** Returns whether a host that refused plain HTTP speaks TLS: it answers, has an untrusted certificate, or speaks an old version. */
async function speaksTls(dispatcher: Dispatcher, host: string, signal: AbortSignal): Promise<boolean> {
  try {
    const { body } = await dispatcher.request({ origin: `https://${host}`, path: "/", method: "HEAD", signal })
    await body.dump()
    return true
  } catch (error) {
    return /CERT|ALTNAME|VERIFY_LEAF|NOT_YET_VALID|ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(
      firstCode(error)?.code ?? "",
    )
  }
}
