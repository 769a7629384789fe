import { formatBytes, formatInteger } from "@assay/reports"
import type { Model, ModelSpec } from "@assay/schemas"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useParams } from "@tanstack/react-router"
import type { ReactElement } from "react"
import { useClient } from "../../../api/use-client.ts"
import { useRights } from "../../../api/use-session.ts"
import { Badge } from "../../../components/badge.tsx"
import { EmptyState } from "../../../components/empty-state.tsx"
import { CodeLink } from "../../../components/failures/code-link.tsx"
import { RemedyOf } from "../../../components/failures/remedy.tsx"
import { ErrorCard } from "../../../components/failures/error-card.tsx"
import { Loading } from "../../../components/loading.tsx"
import { PageHeader } from "../../../components/page-header.tsx"
import { Time } from "../../../components/times/time.tsx"
import { valueText } from "../../../documents/value-text.ts"
import { ChatTemplate } from "./chat-template.tsx"
import { GpuMemory } from "./gpu-memory.tsx"
import { ParameterParts } from "./parameter-parts.tsx"
import "./model.css"

const RUNNING_MS = 1500

/** Shows what the checkpoint of a model says: its specification, its parts, and the memory that it needs. */
export function ModelPage(): ReactElement {
  const client = useClient()
  const queries = useQueryClient()
  const { mayEdit } = useRights()
  const { workspace = "", name = "" } = useParams({ strict: false })
  const key = ["models", workspace, name]
  const { data: model, error } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => client.models.get(workspace, name, { signal }),
    refetchInterval: ({ state }) => (state.data?.analysis.status === "running" ? RUNNING_MS : false),
  })
  const analyze = useMutation({
    mutationFn: () => client.models.analyze(workspace, name, { wait: 0 }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
  })
  return (
    <>
      <PageHeader
        help="guides/models#what-the-numbers-mean"
        title={name}
        above={
          <Link to="/models" search={{ workspace }}>
            Models
          </Link>
        }
        actions={
          mayEdit(workspace) ? (
            <button type="button" disabled={analyze.isPending} onClick={() => analyze.mutate()}>
              Analyse again
            </button>
          ) : null
        }
      >
        <span>{workspace}</span>
        {model === undefined ? null : <AnalysisLine model={model} />}
      </PageHeader>
      {error === null ? null : <ErrorCard error={error} />}
      {analyze.error === null ? null : <ErrorCard error={analyze.error} />}
      {model === undefined && error === null ? <Loading /> : null}
      {model?.analysis.error === null || model === undefined ? null : (
        <div className="card condition FAIL">
          <header>
            <h2>The checkpoint could not be read</h2>
            <CodeLink code={model.analysis.error.code} />
          </header>
          <p dir="auto">{model.analysis.error.message}</p>
          <RemedyOf code={model.analysis.error.code} />
        </div>
      )}
      {model?.spec === null || model === undefined ? (
        model?.analysis.status === "running" ? (
          <Loading what="Reading the checkpoint" />
        ) : null
      ) : (
        <Specification model={model} spec={model.spec} />
      )}
    </>
  )
}

function AnalysisLine({ model }: { readonly model: Model }): ReactElement {
  const { fileset, analysis } = model
  if (fileset === null) return <span>It has no fileset: its specification is what a client gave.</span>
  const [home = "", set = ""] = fileset.split("/")
  return (
    <>
      <Link to="/filesets/$workspace/$name" params={{ workspace: home, name: set }}>
        {fileset}
      </Link>
      <Badge text={analysis.status} tone={analysis.status === "failed" ? "FAIL" : "PASS"} />
      <span>
        {formatBytes(analysis.bytes_read)} read, <Time at={analysis.analyzed_at} />
      </span>
    </>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  num: "number of",
  kv: "key-value",
  ffn: "feed-forward",
  mlp: "MLP",
  lora: "LoRA",
  gpus: "GPUs",
  weights_bytes: "weights",
  minimum_gpus_all_weights: "minimum GPUs for all weights",
  minimum_gpus_lora: "minimum GPUs for LoRA",
}

/** Returns the words for a field of a specification. */
function wordsOf(key: string): string {
  const words =
    WORDS[key] ??
    key
      .split("_")
      .map((word) => WORDS[word] ?? word)
      .join(" ")
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function factText(key: string, value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no"
  if (typeof value !== "number") return valueText(value)
  return key.endsWith("_bytes") ? formatBytes(value) : formatInteger(value)
}

function Specification({ model, spec }: { readonly model: Model; readonly spec: ModelSpec }): ReactElement {
  const {
    workspace,
    name,
    analysis: { warnings },
  } = model
  const facts = Object.entries(spec).filter(
    ([key, value]) =>
      !["linear_layers", "chat_template", "embedding_reasons"].includes(key) &&
      typeof value !== "object" &&
      // A zero, such as 0 virtual tokens, says that the checkpoint lacks the part.
      value !== 0,
  )
  const { base_num_parameters: parameters } = spec
  return (
    <>
      {[...new Set(warnings)].map((warning) => (
        <div key={warning} className="card condition INCONCLUSIVE">
          <p dir="auto">{warning}</p>
        </div>
      ))}
      <div className="columns">
        <section className="card">
          <h2>Specification</h2>
          <dl className="facts">
            {facts.map(([key, value]) => (
              <div key={key} className="pair">
                <dt>{wordsOf(key)}</dt>
                <dd className="number" dir="auto">
                  {factText(key, value)}
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <div>
          <section className="card">
            <h2>Memory</h2>
            <GpuMemory spec={spec} />
          </section>
          <ParameterParts layers={spec.linear_layers} total={parameters} />
        </div>
      </div>
      <section className="card">
        <h2>Chat template</h2>
        {spec.chat_template === null ? (
          <EmptyState title="The checkpoint has no chat template" />
        ) : (
          <ChatTemplate workspace={workspace} name={name} template={spec.chat_template} />
        )}
      </section>
    </>
  )
}
