// The archive as files: what the account may download, what it costs, and what it has paid for already.
import { BULK_CREDITS } from '../../../plans/cost';
import { planNamed } from '../../../plans/plans';
import { RIGHTS, type RightName } from '../../../plans/rights';
import { type Html, html } from '../../html';
import { hidden } from '../forms/fields';
import { amountText, countText, dayText, momentText, monthText } from '../moments';
import type { AccountPage } from '../page';
import type { OwnedFiles, PeriodKind, ShownFile, ShownPeriod } from './source';

export interface ShownFiles extends Pick<OwnedFiles, 'datasets'> {
  readonly kind: PeriodKind;
  /** Null: every dataset. */
  readonly dataset: string | null;
  /** From 1. */
  readonly page: number;
  readonly hasOlder: boolean;
  /** None without the right to days. */
  readonly periods: readonly ShownPeriod[];
  readonly rights: Readonly<Record<PeriodKind, boolean>>;
  readonly creditsLeft: number;
  /** Why a download was refused. */
  readonly refusal: string | null;
}

const PATH = '/account/files';
const KINDS = ['day', 'month'] as const;

export function filesPage(shown: ShownFiles): AccountPage {
  const { kind, refusal, rights, creditsLeft } = shown;
  const main = html`<div class="account-head"><h1>Archive files</h1><p><a href="/account#data">Your account</a></p></div>
${refusal !== null && html`<p class="notice notice-bad" role="alert" tabindex="-1" autofocus>${refusal}</p>`}
<div class="panels"><section class="panel" aria-labelledby="price-title"><h2 id="price-title">Price</h2><div class="body">
<p>A day costs ${BULK_CREDITS.day} credits, a month ${BULK_CREDITS.month}. A file is charged when its download begins; downloaded again within 24 hours, by the console or any key of the account, it is free.</p>
<p>${amountText(creditsLeft, 'credit')} left.</p>
${creditsLeft < BULK_CREDITS[kind] && rights[kind] && html`<p class="notice notice-warn">That is too few for a ${kind} that you have not paid for. <a href="/account#plan">Your plan</a> shows how to get more.</p>`}</div></section>
<section class="panel" id="files" aria-labelledby="files-title"><h2 id="files-title">Files<span class="h-note">newest first</span></h2><div class="body">
<nav class="actions" aria-label="Periods">${KINDS.map((one) => html`<a class="button" href="${addressOf({ ...shown, kind: one, page: 1 })}"${one === kind && html` aria-current="page"`}>${one === 'day' ? 'Days' : 'Months'}</a>`)}</nav>
${rights[kind] ? html`${choosing(shown)}${list(shown)}` : notIncluded(kind)}</div></section>
${described(shown)}</div>`;
  return { title: 'Archive files', main };
}

type View = Pick<ShownFiles, 'kind' | 'dataset' | 'page'>;

function addressOf({ kind, dataset, page }: View): string {
  const query = new URLSearchParams({ kind, ...(dataset && { dataset }), ...(page > 1 && { page: String(page) }) });
  return `${PATH}?${query}`;
}

export const RIGHT_OF: Readonly<Record<PeriodKind, RightName>> = { day: 'bulk_days', month: 'bulk_months' };

function notIncluded(kind: PeriodKind): Html {
  const { title, least } = RIGHTS[RIGHT_OF[kind]];
  return html`<p>Your plan does not include ${title[0]!.toLowerCase()}${title.slice(1)}. The ${planNamed(least)!.title} plan and above do.</p><p class="actions"><a class="button" href="/account#plan">Your plan</a></p>`;
}

const choosing = ({ datasets, dataset, kind }: ShownFiles): Html =>
  html`<form method="get" action="${PATH}"><div class="field"><label for="files-dataset">Dataset</label><select id="files-dataset" name="dataset"><option value="">Every dataset</option>${datasets.map(({ name }) => html`<option value="${name}"${name === dataset && html` selected`}>${titleOf(name)}</option>`)}</select></div>
${hidden('kind', kind)}<button class="button">Show</button></form>`;

/** `Closing lines`. */
const titleOf = (name: string): string => `${name[0]!.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

function list(shown: ShownFiles): Html {
  const { periods, page, hasOlder } = shown;
  return html`${periods.length === 0 ? html`<p>${page > 1 ? 'No older files.' : 'No files yet. The files of a day are built six hours after its end.'}</p>` : html`<ul class="deliveries" aria-labelledby="files-title">${periods.map((one) => periodRow(one, shown))}</ul>`}
<p class="actions">${page > 1 && html`<a class="button" href="${addressOf({ ...shown, page: page - 1 })}#files">Newer files</a>`}${hasOlder && html`<a class="button" href="${addressOf({ ...shown, page: page + 1 })}#files">Older files</a>`}</p>`;
}

function periodRow(one: ShownPeriod, view: View): Html {
  const { dataset, period, version, rows, builtAt, files } = one;
  const name = `${titleOf(dataset)}, ${view.kind === 'day' ? dayText(period) : monthText(period)}`;
  return html`<li><p><b>${name}</b></p>
<p class="small">${amountText(rows, 'row')} · version ${version}, built ${momentText(builtAt)}</p>
${files.map(
  (
    file,
  ) => html`<form method="post" action="${PATH}/${dataset}/${period}?format=${file.format}&amp;version=${version}">${hidden('kind', view.kind)}${hidden('dataset', view.dataset)}${hidden('page', String(view.page))}<button class="button">Download ${FORMATS[file.format] ?? file.format}, ${sizeText(file.bytes)}<span class="vh"> of ${name}</span></button> <span class="small">${priceOf(file, view.kind)}</span></form>
<p class="small">SHA-256 <code>${file.sha256}</code></p>`,
)}</li>`;
}

const FORMATS: Readonly<Record<string, string>> = { parquet: 'Parquet', csv: 'CSV in gzip' };

const priceOf = ({ freeUntilMs }: ShownFile, kind: PeriodKind): string =>
  freeUntilMs === null ? `${BULK_CREDITS[kind]} credits` : `paid for: free until ${momentText(freeUntilMs)}`;

const UNITS = ['KB', 'MB', 'GB', 'TB'] as const;

/** `812 bytes`, `18.2 KB`, `1,204 MB`. */
function sizeText(bytes: number): string {
  if (bytes < 1000) return amountText(bytes, 'byte');
  const power = Math.min(UNITS.length, Math.floor(Math.log10(bytes) / 3));
  const size = bytes / 1000 ** power;
  return `${size < 100 ? size.toFixed(1) : countText(Math.round(size))}\u00a0${UNITS[power - 1]}`;
}

const described = ({ datasets }: ShownFiles): Html =>
  html`<section class="panel" aria-labelledby="datasets-title"><h2 id="datasets-title">Datasets</h2><div class="body"><dl class="datasets">${datasets.map(({ name, description, from }) => html`<dt>${titleOf(name)} <span class="small">from ${dayText(from)}</span></dt><dd>${description}</dd>`)}</dl>
<p class="small"><a href="/docs/bulk-datasets">GET /v1/bulk/datasets</a> lists the columns, and <a href="/docs/bulk-file">GET /v1/bulk/{dataset}/{period}</a> fetches the same files with a key.</p></div></section>`;
