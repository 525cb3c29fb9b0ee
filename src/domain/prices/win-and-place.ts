// Hong Kong has only prices, on win and place (A 1, A 2.4 rule 7): no other leg, no tote estimate and no exotic
// dividends, whatever a book quotes.

export const winAndPlaceOnly = ({ country }: { readonly country: string | null }): boolean => country === 'HK';
