// The faults with which the simulator starts.

/** `rate_limited:sportsbet,venue_respelt`: the simulator checks the names of the scenarios. */
export function faultsOf(list: string): { scenario: string; book: string | null }[] {
  const faults = list.split(',').filter((each) => each !== '');
  return faults.map((each) => {
    const [scenario = '', book = null] = each.split(':');
    return { scenario, book };
  });
}
