import type { GuardrailConfiguration } from "@assay/schemas"
import type { ReactElement } from "react"
import { CopyButton } from "../../../components/copy-button.tsx"

/** Shows the address at which clients of OpenAI's API chat through a guardrail. */
export function BaseUrl({ configuration }: { readonly configuration: GuardrailConfiguration }): ReactElement {
  const { workspace, name } = configuration
  const path = `workspaces/${encodeURIComponent(workspace)}/configs/${encodeURIComponent(name)}/openai/v1`
  const url = `${location.origin}/apis/guardrails/v2/${path}`
  return (
    <p className="base-url">
      Base URL for OpenAI clients: <code>{url}</code> <CopyButton text={url} what="the base URL" />
    </p>
  )
}
