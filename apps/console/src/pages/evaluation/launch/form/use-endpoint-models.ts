import { useMutation } from "@tanstack/react-query"
import { useClient } from "../../../../api/use-client.ts"

interface AskedEndpoint {
  readonly workspace: string
  readonly url: string
  /** The name of the secret with its key. Undefined: none is sent. */
  readonly secret: string | undefined
}

/** Asks the server for the models of an endpoint. */
export function useEndpointModels() {
  const { evaluation } = useClient()
  return useMutation({
    mutationFn: async ({ workspace, url, secret }: AskedEndpoint) =>
      evaluation.listModels(workspace, { url, ...(secret === undefined ? {} : { api_key_secret: secret }) }),
  })
}
