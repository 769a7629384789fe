import type { ConditionCode } from "../../errors/condition-catalogue.ts"

/** How a condition is recognised. */
export interface ConditionSignals {
  /** Its signs, in the order in which they are checked. */
  readonly shows: readonly string[]
  /** Lines of logs of real programs that show it, if there is no better sign. */
  readonly lines: readonly string[]
}

/** The signals of every condition, for the documentation and for tests of the recognition. */
export const CONDITION_SIGNALS: Readonly<Record<ConditionCode, ConditionSignals>> = {
  inference_unreachable: {
    shows: [
      "A socket error of the connection: ECONNREFUSED, ENOTFOUND, EAI_AGAIN, EHOSTUNREACH, ENETUNREACH, ECONNRESET before an answer.",
      "502 or 504 of a proxy, “upstream connect error”, a 404 of the route itself (the URL lacks `/v1`).",
    ],
    lines: [
      "requests.exceptions.ConnectionError: HTTPConnectionPool(host='models.example', port=8000): Max retries exceeded with url: /v1/chat/completions (Caused by NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused'))",
      "openai.APIConnectionError: Connection error.",
      "Error connecting to inference server at http://models.example:8000/v1/completions",
    ],
  },
  inference_tls: {
    shows: [
      "A TLS code of the connection: DEPTH_ZERO_SELF_SIGNED_CERT, SELF_SIGNED_CERT_IN_CHAIN, UNABLE_TO_VERIFY_LEAF_SIGNATURE, CERT_HAS_EXPIRED, ERR_TLS_CERT_ALTNAME_INVALID, ERR_SSL_WRONG_VERSION_NUMBER, ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION (the server speaks only versions before 1.2), ERR_TLS_HANDSHAKE_RESET (the handshake was broken off).",
    ],
    lines: [
      "requests.exceptions.SSLError: HTTPSConnectionPool(host='models.example', port=443): Max retries exceeded with url: /v1/chat/completions (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self-signed certificate (_ssl.c:1000)')))",
    ],
  },
  inference_unauthorized: {
    shows: ["Status 401 or 403 with JSON, the code `invalid_api_key`, “Authorization failed”."],
    lines: ["openai.AuthenticationError: Error code: 401 - {'error': {'code': 'invalid_api_key'}}"],
  },
  model_not_found: {
    shows: [
      "Status 404 or 400 with the code `model_not_found`, “The model `x` does not exist.”, “model 'x' not found”.",
    ],
    lines: ["openai.NotFoundError: Error code: 404 - The model `chat-9b` does not exist."],
  },
  rate_limited: {
    shows: [
      "Status 429, `rate_limit_exceeded`, `Retry-After`; from the hub 429, from an object store SlowDown or RequestLimitExceeded.",
    ],
    lines: [
      "openai.RateLimitError: Error code: 429 - Rate limit reached for requests",
      "requests.exceptions.HTTPError: 429 Client Error: Too Many Requests for url: https://huggingface.co/api/datasets/acme/questions",
    ],
  },
  quota_exhausted: {
    shows: [
      "Status 402, `insufficient_quota`, “credit balance is too low”, “Budget has been exceeded”. Such calls are not repeated.",
    ],
    lines: [
      "Error code: 429 - {'error': {'message': 'You exceeded your current quota', 'type': 'insufficient_quota'}}",
    ],
  },
  context_overflow: {
    shows: [
      "`context_length_exceeded`, “maximum context length is N tokens”, `exceed_context_size_error` with both numbers.",
    ],
    lines: [
      "openai.BadRequestError: Error code: 400 - This model's maximum context length is 4096 tokens. However, you requested 5210 tokens.",
    ],
  },
  output_truncated: {
    shows: ["At least a tenth of a task's answers end with `finish_reason` `length`."],
    lines: ["openai.LengthFinishReasonError: Could not parse response content as the length limit was reached"],
  },
  parameter_unsupported: {
    shows: [
      "Status 400 or 422: “Unsupported parameter”, “Extra inputs are not permitted”, “does not support response_format”.",
    ],
    lines: ["Error code: 400 - Unsupported parameter: 'max_tokens' is not supported with this model."],
  },
  model_loading: {
    shows: ["Status 503: “Loading model”."],
    lines: ['{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}'],
  },
  server_overloaded: {
    shows: ["Status 503 or 529: “server busy”, “maximum pending requests exceeded”, “overloaded”."],
    lines: ["server busy, please try again.  maximum pending requests exceeded"],
  },
  server_out_of_memory: {
    shows: ["Status 500: “model requires more system memory”, “CUDA out of memory”, a dead engine."],
    lines: ["torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"],
  },
  bad_response: {
    shows: ["HTML, an empty body, broken JSON, no `choices`, an `error` under status 200, a truncated answer."],
    lines: [],
  },
  request_timeout: {
    shows: ["The time limit of the request ended before the whole answer had arrived."],
    lines: [
      "requests.exceptions.ReadTimeout: HTTPConnectionPool(host='models.example', port=8000): Read timed out. (read timeout=60)",
    ],
  },
  judge_output_unreadable: {
    shows: [
      "At least 5 % of a judge's answers have no score or verdict, and the judge neither refused nor ran out of tokens.",
    ],
    lines: [
      "ragas.exceptions.RagasOutputParserException: The output parser failed to parse the output including retries.",
      "The output string did not satisfy the constraints given in the prompt. Please use another judge.",
      "ValueError: Evaluation LLM outputted an invalid JSON. Please use a better evaluation model.",
      "WARNING:ragas.llms.output_parser:Failed to parse output. Returning None.",
    ],
  },
  judge_budget_exhausted: {
    shows: ["The judge's answer is empty, there is reasoning, and `finish_reason` is `length`."],
    lines: [],
  },
  judge_refused: {
    shows: ["The answer has a `refusal`, the judge writes that it can't help, or `finish_reason` is `content_filter`."],
    lines: [],
  },
  judge_overblocks: {
    shows: ["In a calibration, the lower bound of the share of safe prompts that are blocked is above its limit."],
    lines: [],
  },
  judge_underblocks: {
    shows: ["In a calibration, the lower bound of the share of unsafe prompts that pass is above its limit."],
    lines: [],
  },
  template_error: {
    shows: ["A template can't be parsed, or reads a name that the row does not have."],
    lines: [],
  },
  launch_refused: {
    shows: ["A launch returns 400 and `failed_checks`."],
    lines: ["Job cannot be launched: 2 checks failed."],
  },
  dataset_format: {
    shows: ["A dataset that is not an object, has no `files_url`, or one of another form."],
    lines: ['Dataset {"path": "a.csv"} is not in the expected format; it needs to have the files_url property set'],
  },
  dataset_missing: {
    shows: ["The storage reports that the fileset or the file does not exist."],
    lines: [
      "Error occurred while checking the existence of file hf://datasets/a/a/x.csv on the datastore: Dataset hf://datasets/a/a/x.csv is not present on datastore",
    ],
  },
  datastore_unreachable: {
    shows: ["The storage of the dataset does not answer, or its answer can't be read."],
    lines: [
      "Error occurred while checking the existence of file hf://datasets/a/a/x.csv on the datastore",
      "urllib3.exceptions.MaxRetryError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded with url: /api/datasets/acme/questions (Caused by NewConnectionError('Failed to establish a new connection'))",
    ],
  },
  gated_dataset: {
    shows: ["401 or 403 from the hub with `X-Error-Code: GatedRepo` for a dataset."],
    lines: [
      "datasets.exceptions.DatasetNotFoundError: Dataset 'acme/questions' is a gated dataset on the Hub. You must be authenticated to access it.",
      "Cannot access gated repo for url https://huggingface.co/datasets/acme/questions/resolve/main/test.csv.",
      "Access to dataset acme/questions is restricted. You must have access to it and be authenticated to access it.",
    ],
  },
  gated_repository: {
    shows: ["401 or 403 from the hub with `X-Error-Code: GatedRepo` for a model or a tokenizer."],
    lines: [
      "huggingface_hub.errors.GatedRepoError: 403 Client Error.",
      "Cannot access gated repo for url https://huggingface.co/acme/chat-8b/resolve/main/tokenizer_config.json.",
      "Your request to access model acme/chat-8b is awaiting a review from the repo authors.",
      "OSError: You are trying to access a gated repo. Make sure to have access to it at https://huggingface.co/acme/chat-8b.",
    ],
  },
  hub_not_found: {
    shows: [
      "`X-Error-Code` RepoNotFound, RevisionNotFound or EntryNotFound; also with 401, since the hub hides private repositories.",
    ],
    lines: [
      "huggingface_hub.errors.RepositoryNotFoundError: 401 Client Error. Repository Not Found for url: https://huggingface.co/api/models/acme/chat.",
      "datasets.exceptions.DatasetNotFoundError: Dataset 'questions' doesn't exist on the Hub or cannot be accessed.",
    ],
  },
  hub_disabled: {
    shows: ["403 from the hub: “Access to this resource is disabled.”"],
    lines: ["huggingface_hub.errors.DisabledRepoError: 403 Client Error. Access to this resource is disabled."],
  },
  rows_invalid: {
    shows: ["A row can't be parsed, breaks the schema of its fileset, or lacks a field that a template reads."],
    lines: [],
  },
  answer_unusable: {
    shows: [
      "A metric refuses the answer of the target: more than 100,000 characters, JSON that is nested too deeply, or no text.",
    ],
    lines: [],
  },
  storage_auth: {
    shows: [
      "From an object store AccessDenied, InvalidAccessKeyId, SignatureDoesNotMatch, ExpiredToken or TokenRefreshRequired; 401 or 403 without a body, such as after HEAD.",
      "Of the hub or the catalog 401 or 403 for the token or key itself.",
    ],
    lines: [
      "botocore.exceptions.ClientError: An error occurred (SignatureDoesNotMatch) when calling the GetObject operation: The request signature we calculated does not match",
      "botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the ListObjectsV2 operation: Access Denied",
      "Invalid credentials in Authorization header",
    ],
  },
  storage_not_found: {
    shows: ["NoSuchBucket, NoSuchKey; 404 without a body."],
    lines: [
      "botocore.errorfactory.NoSuchBucket: An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist",
    ],
  },
  storage_region: {
    shows: ["301 PermanentRedirect, 400 AuthorizationHeaderMalformed, another `x-amz-bucket-region`."],
    lines: [
      "botocore.exceptions.ClientError: An error occurred (AuthorizationHeaderMalformed) when calling the HeadBucket operation: the region 'us-east-1' is wrong; expecting 'eu-west-1'",
    ],
  },
  storage_clock: {
    shows: ["RequestTimeTooSkewed."],
    lines: [
      "botocore.exceptions.ClientError: An error occurred (RequestTimeTooSkewed) when calling the ListObjects operation: The difference between the request time and the current time is too large.",
    ],
  },
  storage_incompatible: {
    shows: [
      "501 NotImplemented, XAmzContentSHA256Mismatch, a signature version or a checksum that the store does not accept.",
    ],
    lines: [
      "botocore.exceptions.ClientError: An error occurred (XAmzContentSHA256Mismatch) when calling the PutObject operation: The provided 'x-amz-content-sha256' header does not match what was computed.",
    ],
  },
  disk_full: {
    shows: ["ENOSPC or EDQUOT from the system; 507, QuotaExceeded or XMinioStorageFull from a store."],
    lines: ["OSError: [Errno 28] No space left on device"],
  },
  answers_filtered: {
    shows: ["At least 5 % of a task's answers end with `finish_reason` `content_filter`, or another word for it."],
    lines: [],
  },
  empty_answers: {
    shows: ["At least 5 % of a task's answers have no text after trimming, and no tool call."],
    lines: [],
  },
  nothing_scored: {
    shows: ["The rows of a job have answers, but a metric has no score for any of them."],
    lines: [],
  },
  runner_lost: {
    shows: [
      "The lease of a job ended twice in a row without a report of its runner, and no row was answered in between.",
    ],
    lines: [],
  },
  executor_failed: {
    shows: [
      "The program of the engine is missing, its API or command refuses the shards or does not respond for 15 minutes, or a process ends without rows as often as it may.",
    ],
    lines: [],
  },
  harness_failed: {
    shows: [
      "The command ends with an exit code other than 0 or at its time limit, can't be started, or leaves no results that can be read.",
    ],
    lines: [],
  },
}
