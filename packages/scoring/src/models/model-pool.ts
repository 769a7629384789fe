import { createInferenceClient, type InferenceClient } from "@assay/inference"
import { type ApiEndpoint, EMBEDDINGS_FORMAT } from "@assay/schemas"
import { isEmbeddingsEndpoint, isTextEndpoint } from "./endpoint-format.ts"
import type { ScoringEnvironment } from "../scoring-context.ts"
import type { Recording } from "./recording.ts"

/** A model with an open client, and what its endpoint was found to accept. */
export interface OpenedModel {
  readonly client: InferenceClient
  readonly endpoint: ApiEndpoint
  /** Parameters that the endpoint refused. */
  readonly refused: Set<string>
  /** Parameters of ours that the endpoint accepted. */
  readonly taken: Set<string>
  /** Absent: answers are not recorded. */
  readonly recording?: Recording | undefined
}

/** The clients of a job's endpoints, one for each endpoint. */
export interface ModelPool {
  /** Opens a client, without a connection before the first request. @throws `secret_not_readable` */
  readonly open: (endpoint: ApiEndpoint) => Promise<OpenedModel>
  close(): Promise<void>
}

/** Returns the same text for endpoints that are asked in the same way: address, model, key, certificates and kind of request are equal. */
export function endpointKey({ url, model_id, api_key, api_key_secret, api_key_env, ca, format }: ApiEndpoint): string {
  const kind = isEmbeddingsEndpoint({ format }) ? EMBEDDINGS_FORMAT : isTextEndpoint({ format })
  return JSON.stringify([url, model_id, api_key, api_key_secret, api_key_env, ca, kind])
}

export function createModelPool({
  resolveKey,
  inference,
  recording,
}: Pick<ScoringEnvironment, "resolveKey" | "inference" | "recording">): ModelPool {
  const opened = new Map<string, Promise<OpenedModel>>()

  async function connect(endpoint: ApiEndpoint): Promise<OpenedModel> {
    // A replay sends nothing, so it needs no key.
    const apiKey = recording?.isReplayOnly === true ? undefined : await resolveKey(endpoint)
    const { url, model_id: model, ca } = endpoint
    const client = createInferenceClient({ url, model, apiKey, ca }, inference)
    return { client, endpoint, refused: new Set(), taken: new Set(), recording }
  }

  return {
    open(endpoint) {
      const key = endpointKey(endpoint)
      const known = opened.get(key) ?? connect(endpoint)
      opened.set(key, known)
      return known
    },
    async close() {
      const models = await Promise.allSettled(opened.values())
      await Promise.all(
        models.map(async (model) => (model.status === "fulfilled" ? model.value.client.close() : undefined)),
      )
    },
  }
}
