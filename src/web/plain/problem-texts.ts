// The meaning of each problem and what to do about it, for its page. Data only.
import type { ErrorCode } from '../../errors';

interface ProblemText {
  readonly meaning: string;
  readonly remedy: string;
}

const ALLOWANCE = 'Plans, their allowances and their limits are listed in the API reference.';

export const PROBLEM_TEXTS: Readonly<Record<ErrorCode, ProblemText>> = {
  bad_request: {
    meaning: 'The request is not valid HTTP, or its address or body cannot be read.',
    remedy: 'Compare the request with the API reference, and send it with an ordinary HTTP client.',
  },
  undeliverable_address: {
    meaning: 'The domain of the email address does not exist, or takes no mail. Nothing was created.',
    remedy: 'Check the spelling of the address; suggestion is the one that was probably meant.',
  },
  disposable_address: {
    meaning:
      'The email address is one of a service of throw-away mailboxes, which cannot have a Free account. Nothing was created.',
    remedy: 'Sign up with an address that you keep.',
  },
  unauthorized: {
    meaning: 'The request has no API key, or its key does not exist or was withdrawn.',
    remedy: 'Send your key in the X-API-Key header, exactly as it was issued. Never send it in the address.',
  },
  payment_required: {
    meaning: 'The credits of this month are used up.',
    remedy: `Wait for the first day of the next month (UTC), or move to a larger plan. ${ALLOWANCE}`,
  },
  plan_required: {
    meaning: 'Your plan does not include this operation, or only another kind of key may call it; detail states which.',
    remedy: `required_plan names the cheapest plan that has it; of the archive, sample shows some of its rows. Without required_plan no plan helps: send the key that detail names. ${ALLOWANCE}`,
  },
  horizon_exceeded: {
    meaning: 'The request looks further ahead than your plan allows.',
    remedy: `Request fewer hours or days. required_plan names the plan that looks as far. ${ALLOWANCE}`,
  },
  archive_window: {
    meaning: 'The request looks further back than your plan allows.',
    remedy: `Request later days, or move to the plan that required_plan names. ${ALLOWANCE}`,
  },
  ip_not_allowed: {
    meaning: 'The key may be used from certain IP addresses only, and this request came from another one.',
    remedy: 'Send the request from an address on the list of the key, or change that list.',
  },
  scope_required: {
    meaning:
      'The key of a team may be used for its scopes alone, and this operation requires another one. Nothing was charged.',
    remedy:
      'required_scope names the scope. Send another key, or add the scope with PATCH /v1/keys/team/{key_id} and the primary key.',
  },
  origin_not_allowed: {
    meaning: 'The request for the prices of a widget comes from a site that is not among its allowed origins.',
    remedy:
      'The owner of the widget adds the origin to its `allowed_origins`, exactly as browsers send it. Requests that no browser sends have no origin, and are refused too.',
  },
  not_found: {
    meaning: 'There is nothing at this address, or nothing matches the request.',
    remedy: 'Check the spelling of the address: it is case-sensitive. The API reference lists every address.',
  },
  race_not_on_board: {
    meaning: 'No race on the live board matches: it has left the board, was abandoned, or has no prices yet.',
    remedy: 'A race leaves the board ten minutes after the jump. Its outcome is in /v1/racing/results.',
  },
  match_not_open: {
    meaning: 'The match of a widget is not open for betting: it has started, does not exist, or is of another sport.',
    remedy:
      'Send another event_id, or none for the next matches. /v1/sports/{sport_key}/odds lists those that have not started.',
  },
  method_not_allowed: {
    meaning: 'The address exists, but not with this method.',
    remedy: 'The Allow header of the response lists the methods that it has.',
  },
  not_acceptable: {
    meaning: 'The header Accept names only media types that this operation does not serve. Nothing was charged.',
    remedy: 'Send Accept: application/json, or none, or choose with the parameter format: it overrides the header.',
  },
  request_timeout: {
    meaning: 'The connection was open for a long time and the request did not arrive completely.',
    remedy: 'Send the request again on a new connection.',
  },
  conflict: {
    meaning: 'The request contradicts the present state, for example because another request was faster.',
    remedy: 'Read the present state, then decide whether to send the request again.',
  },
  race_ambiguous: {
    meaning: 'More than one race has this venue, day and race number.',
    remedy: 'candidates lists them. Repeat the request with the race_id of the one you mean.',
  },
  gone: {
    meaning: 'This address was retired. It is never charged and never comes back.',
    remedy: 'detail names what to use instead, where there is something. Remove the call from your program.',
  },
  payload_too_large: {
    meaning: 'The body of the request is too large.',
    remedy: 'detail states the limit. Divide the request into several.',
  },
  range_not_satisfiable: {
    meaning: 'The Range header begins beyond the end of the file.',
    remedy: 'detail and Content-Range state its size. A file that you have as a whole needs no further part.',
  },
  unsupported_media_type: {
    meaning: 'The body is not in a format that this operation reads.',
    remedy: 'Send JSON with Content-Type: application/json, uncompressed or in one of the documented codings.',
  },
  validation: {
    meaning: 'A parameter or a member of the body is not valid. Nothing was charged.',
    remedy: 'errors lists each one with what is wrong and, where there are few, the valid values.',
  },
  rate_limit: {
    meaning: 'Too many requests were sent in the last minute.',
    remedy: 'Wait for the seconds in the Retry-After header. Send If-None-Match and poll no faster than prices change.',
  },
  internal: {
    meaning: 'The service failed. The cause is in its log under the request_id of the response.',
    remedy: 'Send the request again after a moment. If it keeps failing, report the request_id.',
  },
  upstream_failure: {
    meaning: 'A source that this answer depends on could not be read. Nothing was charged.',
    remedy: 'Send the request again after a moment.',
  },
  unavailable: {
    meaning: 'A part of the service that this answer depends on is down.',
    remedy: 'Wait for the seconds in the Retry-After header, then send the request again.',
  },
  store_filling: {
    meaning: 'The data for this answer is still being collected.',
    remedy: 'Wait for the seconds in the Retry-After header, then send the request again.',
  },
};
