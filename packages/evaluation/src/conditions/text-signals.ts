import type { ConditionCode } from "@assay/schemas"

/** Words in a line of a log that show a condition. */
export interface TextSignal {
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
export const TEXT_SIGNALS: readonly TextSignal[] = [...OWN, ...HUB, ...JUDGES, ...STORES, ...MACHINE]
