import { classifyText, readTokenNumbers } from "@assay/inference"
import type { ConditionCode } from "@assay/schemas"
import type { Finding } from "./condition-findings.ts"

/** Number of characters of a line that are read. It limits the cost of a hostile line. */
const MAX_READ = 16_384
const HUB_HOST = /\b(host='|https?:\/\/)([\w-]+\.)*(huggingface\.co|hf\.co)\b/
/** A failed connection in the words of another program. */
const CONNECTION_FAILED = /Error connecting to inference server/i
/** Conditions of an endpoint that are about a dataset if the line names the hub as the host. */
const CONNECTIONS: ReadonlySet<ConditionCode> = new Set(["inference_unreachable", "inference_tls", "request_timeout"])

/** Finds the condition that a line of a log shows. Words are less reliable than codes. */
export function findInText(line: string): Finding | undefined {
  const text = line.slice(0, MAX_READ)
  const code = codeOf(text)
  if (code === undefined) return undefined
  const advice = textAdvice(code, text)
  const title = code === "rate_limited" && HUB_HOST.test(text) ? "The hub limits the rate" : undefined
  return { code, message: text.trim(), title, advice }
}

function codeOf(text: string): ConditionCode | undefined {
  const own = TEXT_SIGNALS.find(({ pattern }) => pattern.test(text))?.code
  if (own !== undefined) return own
  const code = classifyText(text) ?? (CONNECTION_FAILED.test(text) ? "inference_unreachable" : undefined)
  return code !== undefined && CONNECTIONS.has(code) && HUB_HOST.test(text) ? "datastore_unreachable" : code
}

const PUBLIC_HUB = "https://huggingface.co"
/** An address at a hub: a page, a call of its API, or a file. */
const ADDRESS = /(https?:\/\/[\w.:-]+)\/(?:api\/)?(datasets\/|spaces\/|models\/)?([\w.-]+\/[\w.-]+)/
const NAMED_DATASET = /dataset '?([\w.-]+\/[\w.-]+)'?/i
const NAMED_MODEL = /(?:model|repository) '?([\w.-]+\/[\w.-]+)'?/i

/** Returns the advice that a line contains, as sentences. */
function textAdvice(code: ConditionCode, text: string): string | undefined {
  if (code === "gated_dataset" || code === "gated_repository") {
    const page = hubPage(code, text)
    const asked = page === undefined ? "" : `Ask for access at ${page}. `
    return `${asked}A harness takes the token as HF_TOKEN: name its secret under \`harness.secrets\`.`
  }
  if (code === "inference_tls" || code === "inference_unreachable") return connectionAdvice(code, text)
  if (code === "context_overflow") {
    const { asked, limit } = readTokenNumbers(text)
    return asked === null || limit === null ? undefined : `${asked} tokens were requested, and ${limit} fit.`
  }
  if (code !== "storage_region") return undefined
  const region = /expecting '([\w-]{1,40})'|<Region>([\w-]{1,40})<\/Region>/.exec(text)
  return region === null ? undefined : `The bucket is in region '${region[1] ?? region[2]}'.`
}

function hubPage(code: "gated_dataset" | "gated_repository", text: string): string | undefined {
  const address = ADDRESS.exec(text)
  if (address !== null) {
    const [, origin = "", path = "", id = ""] = address
    return `${origin}/${path === "models/" ? "" : path}${id}`
  }
  const named = code === "gated_dataset" ? NAMED_DATASET.exec(text) : NAMED_MODEL.exec(text)
  if (named === null) return undefined
  return `${PUBLIC_HUB}/${code === "gated_dataset" ? "datasets/" : ""}${named[1]}`
}

function connectionAdvice(code: "inference_tls" | "inference_unreachable", text: string): string | undefined {
  const pool = /host='([\w.-]{1,253})', port=(\d{1,5})/.exec(text)
  const host = pool === null ? "the endpoint" : `${pool[1]}:${pool[2]}`
  if (code === "inference_unreachable") {
    return pool === null ? undefined : `Check that ${host} can be reached from where the command runs.`
  }
  const problem = /certificate verify failed: ([\w ,'’-]{1,120}\w)/i.exec(text)?.[1]
  const what = problem === undefined ? "" : `The certificate of ${host} is wrong: ${problem}. `
  return `${what}A harness in Python trusts the issuer whose certificate SSL_CERT_FILE and REQUESTS_CA_BUNDLE name: set them under \`harness.environment\`.`
}

/** Words in a line of a log that show a condition. */
interface TextSignal {
  readonly code: ConditionCode
  readonly pattern: RegExp
}

/** Messages of this product. */
const OWN: readonly TextSignal[] = [
  { code: "launch_refused", pattern: /Job cannot be launched/ },
  { code: "dataset_format", pattern: /is not in the expected format; it needs to have the files_url property set/ },
  { code: "dataset_missing", pattern: /is not present on datastore/ },
  { code: "datastore_unreachable", pattern: /Error occurred while checking the existence of file/ },
]

/** Messages of clients of the hub. The words have to be exact: "private or gated" can mean either. */
const HUB: readonly TextSignal[] = [
  {
    code: "gated_dataset",
    pattern:
      /is a gated dataset on the Hub|gated repo for url \S*\/datasets\/|access to dataset \S+ is (restricted|awaiting)|DatasetNotFoundError.*\bis a gated\b/i,
  },
  {
    code: "gated_repository",
    pattern:
      /GatedRepo|cannot access gated repo|trying to access a gated repo|is a gated (model|repo)|access to (model|repository|space) \S+ is (restricted|awaiting)|awaiting a review from the repo/i,
  },
  { code: "hub_disabled", pattern: /DisabledRepoError|access to this resource is disabled/i },
  {
    code: "hub_not_found",
    pattern:
      /\b(Repository|Revision|Entry)NotFoundError\b|\b(Repo|Revision|Entry)NotFound\b|\b(repository|revision|entry) not found for url|DatasetNotFoundError|doesn't exist on the Hub|is not a local folder and is not a valid model identifier/i,
  },
  {
    code: "storage_auth",
    pattern:
      /invalid credentials in authorization header|invalid user token|40[13] client error: \w+ for url: https?:\/\/([\w-]+\.)*(huggingface\.co|hf\.co)\//i,
  },
]

/** Messages of evaluation tools about answers of judges. */
const JUDGES: readonly TextSignal[] = [
  {
    code: "judge_output_unreadable",
    pattern:
      /output string did not satisfy the constraints|invalid json.{0,80}better evaluation model|failed to parse (the )?output|OutputParserException|output parser failed|invalid json (output|response)|could not parse (the |llm |judge )*(output|verdict|score|rating|judg\w+)/i,
  },
  {
    code: "output_truncated",
    pattern: /LengthFinishReasonError|as the length limit was reached|LLMDidNotFinish|generation was not completed/i,
  },
]

/** Messages of clients of object stores: the code of the store in brackets, in XML, or as the name of an exception. */
const STORES: readonly TextSignal[] = [
  { code: "storage_clock", pattern: /RequestTimeTooSkewed|request time and the (current|server's) time is too large/i },
  { code: "storage_region", pattern: /PermanentRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraint/ },
  { code: "storage_not_found", pattern: /NoSuchBucket|NoSuchKey|specified bucket does not exist/ },
  {
    code: "storage_auth",
    pattern:
      /InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken\b|TokenRefreshRequired|(\(|<Code>)AccessDenied(\)|<)|NoCredentialsError|unable to locate credentials/i,
  },
  {
    code: "storage_incompatible",
    pattern:
      /XAmzContentSHA256Mismatch|x-amz-(sdk-checksum|trailer|checksum-)\S* .{0,40}(not supported|invalid|unsupported)|MissingContentMD5|(\(|<Code>)NotImplemented(\)|<)/i,
  },
]

const MACHINE: readonly TextSignal[] = [
  {
    code: "disk_full",
    pattern: /no space left on device|\bENOSPC\b|disk quota exceeded|\bEDQUOT\b|not enough free disk space/i,
  },
]

/** In this order: the first match counts. Other lines are checked for the messages of inference servers. */
const TEXT_SIGNALS: readonly TextSignal[] = [...OWN, ...HUB, ...JUDGES, ...STORES, ...MACHINE]
