import type { LocatedDocument } from "@assay/validation"
import type { ApiEndpoint, EvaluationModel, TokenPrice } from "@assay/schemas"
import { faultAt, pointerTo } from "../document-faults.ts"
import type { ShortModel } from "./short-model-schema.ts"

/** A model of the short form, as the long form has it. */
export interface ExpandedModel {
  /** The label of the model in `models`. */
  readonly label: string
  readonly model: EvaluationModel
  /** Parameters of its requests. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Undefined: the file does not give them. */
  readonly prices: TokenPrice | undefined
}

/** A variable, as shells write it. Any other name is that of a secret. */
const VARIABLE = /^[A-Z][A-Z0-9_]*$/
/** The beginnings of keys of known services, and anything as long as a key. */
const KEY = /^(?:sk|pk|hf|gsk|xai|nvapi|AIza|Bearer)[-_ ]?[A-Za-z0-9_-]{12,}$|^[A-Za-z0-9+/=_-]{40,}$/

/** Expands a model. @throws `bad_document` if a key is in the file itself */
export function expandModel(document: LocatedDocument, given: ShortModel, pointer: string): ExpandedModel {
  if (typeof given === "string") {
    const at = given.indexOf("#")
    const [url, model_id] = [given.slice(0, at), given.slice(at + 1)]
    return { label: model_id, model: { api_endpoint: { url, model_id } }, parameters: {}, prices: undefined }
  }
  const { url, model: model_id, key, format, ca, reasoning, name = model_id, ...rest } = given
  const { prompt_price: _prompt, completion_price: _completion, ...parameters } = rest
  const endpoint: ApiEndpoint = {
    url,
    model_id,
    ...(key === undefined ? {} : keyOf(document, key, pointer)),
    ...(format === undefined ? {} : { format }),
    ...(ca === undefined ? {} : { ca }),
  }
  const prices = pricesOf(document, given, pointer)
  const model = { api_endpoint: endpoint, ...(reasoning === undefined ? {} : { reasoning }) }
  return { label: name, model, parameters, prices }
}

function pricesOf(
  document: LocatedDocument,
  { prompt_price, completion_price }: Pick<Exclude<ShortModel, string>, "prompt_price" | "completion_price">,
  pointer: string,
): TokenPrice | undefined {
  if (prompt_price === undefined && completion_price === undefined) return undefined
  if (prompt_price !== undefined && completion_price !== undefined) return { prompt_price, completion_price }
  const [given, missing] =
    prompt_price === undefined ? ["completion_price", "prompt_price"] : ["prompt_price", "completion_price"]
  const why = `needs '${missing}' beside it, because the cost is not known without; write 0 for one that is free.`
  throw faultAt(document, pointerTo(pointer, given), why)
}

function keyOf(document: LocatedDocument, key: string, pointer: string): Partial<ApiEndpoint> {
  if (VARIABLE.test(key)) return { api_key_env: key }
  if (!KEY.test(key)) return { api_key_secret: key }
  // The message does not show the value.
  const why =
    "this looks like a key itself: put it into a variable or a secret, and write the name of that, such as CHAT_API_KEY."
  throw faultAt(document, pointerTo(pointer, "key"), why)
}
