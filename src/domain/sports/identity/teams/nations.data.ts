// Nations, in every sport they play.

export const NATIONS = `
Afghanistan
Albania
Algeria
Argentina
Australia | Wallabies | Socceroos
Austria
Bangladesh
Belgium
Bolivia
Bosnia and Herzegovina | Bosnia | Bosnia-Herzegovina | Bosnia Herz
Brazil
Bulgaria
Cameroon
Canada
Cape Verde | Cabo Verde
Chile
China | China PR
Colombia
Congo DR | DR Congo | Congo Democratic Republic
Costa Rica
Croatia
Curacao
Czech Republic | Czechia
Denmark
Ecuador
Egypt
England
Estonia
Faroe Islands | Faroe Isles
Fiji
Finland
France
Georgia
Germany
Ghana
Greece
Honduras
Hong Kong | Hong Kong China
Hungary
Iceland
India
Indonesia
Iran | IR Iran
Iraq
Ireland | Republic of Ireland | Ireland Republic | Rep of Ireland
Israel
Italy
Ivory Coast | Cote d'Ivoire
Jamaica
Japan
Jordan
Kazakhstan
Kenya
Kosovo
Kuwait
Latvia
Lithuania
Luxembourg
Malaysia
Mali
Malta
Mexico
Montenegro
Morocco
Namibia
Nepal
Netherlands | Holland
New Zealand | All Blacks | NZ
Nigeria
North Korea | Korea DPR
North Macedonia | Macedonia
Northern Ireland
Norway
Oman
Pakistan
Panama
Papua New Guinea | PNG
Paraguay
Peru
Philippines
Poland
Portugal
Qatar
Romania
Russia
Samoa
Saudi Arabia
Scotland
Senegal
Serbia
Singapore
Slovakia
Slovenia
South Africa | Springboks
South Korea | Korea Republic | Korea
Spain
Sri Lanka
Sweden
Switzerland
Thailand
Tonga
Trinidad and Tobago
Tunisia
Turkey | Turkiye
Uganda
Ukraine
United Arab Emirates | UAE
Uruguay
USA | United States | United States of America | US
Uzbekistan
Venezuela
Vietnam
Wales
West Indies | Windies
Zambia
Zimbabwe
`;
