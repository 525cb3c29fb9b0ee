-- Why nothing is delivered to a webhook of an account with this plan; null: it is open. Fan-out, lanes and retries judge by it.
CREATE OR REPLACE FUNCTION webhook_closed(w webhooks, p_plan text, p_plans text[]) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN w.webhook_id IS NULL OR w.deleted_at IS NOT NULL THEN 'The webhook is deleted.'
    WHEN w.disabled_at IS NOT NULL THEN 'The webhook is disabled.'
    WHEN w.paused THEN 'The webhook is paused.'
    WHEN p_plan IS NULL OR p_plan <> ALL (p_plans) THEN 'The plan of the account does not include webhooks.'
  END
$$;
