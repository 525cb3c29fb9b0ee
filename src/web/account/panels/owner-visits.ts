// Visits of an owner: without a session every address leads to signing in, and a refused form is shown again in the
// account page.
import type { Session } from '../../../accounts/visitor';
import type { AppError } from '../../../errors';
import { refused } from '../forms/filled';
import { type OwnAccountDeps, readOwnAccount } from '../own-account';
import type { Act, Again, Visit, VisitAnswer, Visits } from '../visits';
import { accountPage, type ShownForm } from './account-page';

type OwnerAct = (session: Session, visit: Visit) => Promise<VisitAnswer>;
type FormOf = (visit: Visit, error: AppError) => ShownForm;
type OwnerAgain = (session: Session, visit: Visit, error: AppError) => Promise<VisitAnswer>;

export interface OwnerVisits {
  get(path: string, act: OwnerAct): void;
  /** `formOf`: what is shown again, with why it was refused. Without it a refusal is a page of its own. */
  post(path: string, act: OwnerAct, formOf?: FormOf): void;
  /** A form of another page than that of the account: `again` shows that page, with why it was refused. */
  postOn(path: string, act: OwnerAct, again: OwnerAgain): void;
  /** The account page with this form. */
  withForm(session: Session, visit: Visit, form: ShownForm): Promise<VisitAnswer>;
}

const SIGN_IN: VisitAnswer = { to: '/login' };

export function createOwnerVisits({ get, post }: Visits, deps: OwnAccountDeps): OwnerVisits {
  const owned =
    (act: OwnerAct): Act =>
    async (visit) => {
      const session = await visit.browser.session();
      return session ? act(session, visit) : SIGN_IN;
    };
  const withForm: OwnerVisits['withForm'] = async (session, { browser: { address } }, form) => ({
    page: accountPage(await readOwnAccount(deps, session), { address, form }),
  });
  return {
    get: (path, act) => get(path, owned(act)),
    post(path, act, formOf) {
      const again: Again | undefined =
        formOf && ((visit, error) => owned((session) => withForm(session, visit, formOf(visit, error)))(visit));
      post(path, owned(act), again);
    },
    postOn: (path, act, again) =>
      post(path, owned(act), (visit, error) => owned((session) => again(session, visit, error))(visit)),
    withForm,
  };
}

/** Shows the refusal of a button above the page. */
export const onPage: FormOf = ({ form }, error) => ({ of: 'page', filled: refused(form, {}, error) });
