import { createInferenceClient, type InferenceClient } from "@assay/inference"
import type { ApiEndpoint } from "@assay/schemas"
import type { JobEnvironment } from "../job-environment.ts"

/** A model that is open to be asked, with what was learnt of its endpoint. */
export interface OpenedModel {
  readonly client: InferenceClient
  readonly endpoint: ApiEndpoint
  /** Parameters that it was found to refuse. */
  readonly refused: Set<string>
  /** Parameters of ours with which an answer has come. */
  readonly taken: Set<string>
}

/** The clients of a job's endpoints: one for each, whoever asks. */
export interface ModelPool {
  /** Nothing is connected before the first question. @throws `secret_not_readable` */
  readonly open: (endpoint: ApiEndpoint) => Promise<OpenedModel>
  close(): Promise<void>
}

export function createModelPool({
  resolveKey,
  inference,
}: Pick<JobEnvironment, "resolveKey" | "inference">): ModelPool {
  const opened = new Map<string, Promise<OpenedModel>>()

  async function connect(endpoint: ApiEndpoint): Promise<OpenedModel> {
    const apiKey = await resolveKey(endpoint)
    const { url, model_id: model, ca } = endpoint
    const client = createInferenceClient(
      { url, model, ...(apiKey === undefined ? {} : { apiKey }), ...(ca === undefined ? {} : { ca }) },
      inference,
    )
    return { client, endpoint, refused: new Set(), taken: new Set() }
  }

  return {
    open(endpoint) {
      const { url, model_id, api_key, api_key_secret, api_key_env, ca } = endpoint
      const key = JSON.stringify([url, model_id, api_key, api_key_secret, api_key_env, ca])
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
