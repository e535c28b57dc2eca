// How do programs call what they do, in some forty languages? Data for the lexicon (`lexicon.ts`).
//
// The base are the messages that say what a button or a link does (delete, remove, log out, add to cart, empty, cancel,
// confirm, approve, publish, lock, block, subscribe, vote, reset, restore, purge, run …) in the translations of
// MediaWiki 1.39.17 (languages/i18n), Django 5.2.19 (contrib.admin, contrib.auth), django-oscar 4.2.1 (a shop),
// Postorius 1.3.13 (mailing lists), Wagtail 8.0.1 and phpMyAdmin 5.2.1: words of one kind, cut to stems where a language
// has several forms. What these programs do not say was added by hand: things, romanized words of Chinese, Japanese,
// Korean, Arabic, Persian, Hebrew and Hindi, leaving a group, and the switches of a house.
//
//   stems × ends    `lösch` with `en ung` is löschen, Löschung
//   words           forms that stand by themselves; `ta-bort` is a phrase
//   weak            too ambiguous to stand anywhere: only behind a thing (`/licht/an`) or beside an id
//   things          what is acted upon, and small words between: they turn words beside a verb into an order
//
// The lexicon folds accents (`löschen` is loschen and loeschen) and romanizes Cyrillic and Greek (`удалить` is udalit).

export interface LanguageWords {
  readonly ends?: string;
  readonly stems?: string;
  readonly words: string;
  readonly weak?: string;
  readonly things?: string;
}

/** Verbs that destroy, cannot be undone, or end a session. They act in any place. */
export const ENGLISH_STRONG = `
  delete remove destroy erase purge truncate unlink expunge undeploy unflag unpublish deactivate uninstall undelete
  unfollow unlike unban unblock unwatch unstar unpin unsubscribe unsub unregister unenrol unenroll unshare unfriend
  unsave unvote upvote downvote subscribe resubscribe reactivate reboot shutdown poweroff logout logoff signout
  signoff rollback revert optout optin masquerade impersonate killall trashed unload logmeout quietdown dropdb
  notifycommit indexnow disconnect enrol markread reconnect forcemerge`;

/** Verbs that act if they are a whole segment or the whole name of a field. */
export const ENGLISH_VERBS = `
  add edit save insert cancel confirm approve reject accept decline disapprove publish like dislike vote buy
  purchase pay checkout follow flag ban block mute unmute activate enable disable reset restore undo redo flush
  trash empty rename restart cron trackback repost retweet upload unlock lock kill drop clear revoke ack acknowledge
  toggle dismiss unarchive snooze reorder withdraw resend regenerate invalidate recalculate reindex rebuild migrate
  exec terminate abort stop exit quit suspend unsuspend overwrite unassign enqueue dequeue requeue retry rerun
  deprovision reprovision evict eject unhide unstick bump resolve demote cleanup unreserve quarantine reopen detach
  addtocart execute vacuum untag dedupe unsnooze scrobble unscrobble del wipe reload halt sudo enroll hibernate spam
  deletion repair`;

/** Verbs that act beside an id or a script (`/newsletter/send/44`), or with a thing (`sendMessage`). */
export const ENGLISH_BESIDE = `
  send run start launch update install upgrade patch unset generate notify force grant actualize respond assign
  import recover refresh sync synchronize submit apply renew claim refund transfer silence optimize compact compress
  promote trigger invoke provision schedule redeem discard ignore hide pause resume favorite favourite bookmark pin
  star rotate convert merge replace change attach kick expire process push turn play move rate replicate polling
  pulse fetch call poke scan dial sleep wake seed close split duplicate clone thank bid tip ship fulfill capture
  void dispatch fork`;

/** Words that are as often nouns: they act only as the last segment, behind an id (`/posts/7/report`). */
export const ENGLISH_AFTER = `
  on off up down report share copy open close book order rate post mark set sticky good bad attend going maybe yes
  no read seen done finish complete join leave hit build deploy polling archive donate subscribe take give sign pull
  make put write create register next reserve watch release`;

/** Verbs of programs that need an object: `sendMessage`, `create_user`; not `post_type`. */
export const ENGLISH_WITH_THING = `
  post put write create make set move copy open close push register invite join leave mark rate build deploy donate
  sign switch quick`;

/** Words of the table that mean something else elsewhere: a name, a section of a site, an English noun. */
export const NO_VERBS = `
  active reserve commander commande execution lisa voter retire chan peru reactive wis suppression activation
  citadel formative archive guarda vide agora esta publica publico publie public banden joden voti excess quite sal
  sala salve salvo sales legal mata valide valida valides parti partie borra limpio limpia confirme beende halt
  halte ela esi refuse envoye ajoute redo utfor fordel sari est are`;

/** Words that act only as the value of a field that selects an action. */
export const ENGLISH_DISPATCHED = `
  submit send post update create set write put patch run exec execute start stop rate order clear report register
  invite join leave book share import watch unwatch protect merge markpatrolled rsd cart xclick signin login take
  notify respond plus minus good actualize open close move mark copy convert assign quit bounce spam ham ignore out
  generate reply addlist click on off play pause next prev skip seek volume hide split buddy quickmod recommend
  stick sticky favorite rp confirmaction autologin switch restart fetch delmsg mkdir rmdir chmod chown touch push
  pull clone fork duplicate`;

/** Segments that precede a secret, and names of fields with a secret. */
export const SECRET_WORDS = `
  reset verify verification confirm confirmation activate activation invite invitation invites invitations unsub
  optin webhook webhooks hook hooks build deploy nonce csrf sig key token tokens magiclink passwordreset
  resetpassword emaillogin rsvp otp oneclick onetime autologin accept callback ipn register redeem validate recover
  unlock lostpassword createpassword forgotpassword newpassword setpassword verifyemail confirmemail activateaccount`;

/** Things that programs act on, and the small words in their names (`add_to_cart`, `delete-my-account`). */
export const ENGLISH_THINGS = `
  user users account accounts profile item items comment comments post posts page pages file files message messages
  msg product products image images photo photos topic topics record records entry entries all address addresses
  article articles order orders cart basket bag wishlist favorite favorites favourites compare list lists member
  members group groups role roles category categories tag tags event events link links node nodes row rows line
  lines folder album albums attachment attachments document documents video videos news newsletter subscription
  subscriptions subscriber session sessions cache caches log logs logfile table tables database db key keys token
  tokens password passwords email mail emails payment method card cards coupon voucher gift job jobs task tasks
  queue build project projects repo repository branch release issue issues ticket tickets note notes reply review
  reviews rating vote votes poll friend friends contact contacts customer customers client clients server servers
  service services plugin plugins module modules theme device devices host hosts domain domains certificate backup
  backups snapshot volume instance container setting settings config option options content contents data thread
  threads forum blog form field fields value values thing object objects element quote cookie cookies trash index
  indexes default bin scene recording recordings rule rules alias alert alerts notification notifications alarm
  printer connection connections goods media asset assets upload uploads bookmark bookmarks playlist song track
  template menu widget slide banner ad ads transaction invoice quotation booking reservation appointment shipment
  acct monitor system workspace collection permission access sites site section feed feeds watchlist req request
  requests membership registration privacy activity store stock timer my me self from to by for into it this
  selected admin action btn button do doit ajax api core special spezial now single multi multiple mass bulk
  bulkaction confirmed current handler php id`;

/** Words of paths to a device, where `?state=on` acts. */
export const DEVICES = `
  relay roller switch outlet light lights lamp led device devices gpio cmd cm control controller power plug socket
  ptz door doors gate garage axis porte porta puerta tor tur rollladen jalousie volet lock valve pump heating
  heizung heater thermostat fan shutter blind blinds licht lampe steckdose lumiere luz luce lampa svet turn go plugs
  sonoff tasmota shelly zigbee`;

export const LANGUAGES: Readonly<Record<string, LanguageWords>> = {
  de: {
    ends: 'en e t ung',
    stems: `lösch entfern abmeld ausblend sperr entsperr freischalt bestätig stornier kündig absag zusag bestell abbestell
      hinzufüg aktivier deaktivier verschieb wiederherstell zurücksetz veröffentlich abonnier widerruf
      genehmig ablehn annehm abstimm bewert umbenenn hochlad verwerf beend abbrech austrag absend sicher schütz
      freigeb ausführ neustart neustart abschalt einschalt ausschalt reservier akzeptier`,
    words: `zurückweisen abschicken umsortieren massenaustragung verlassen verlasse lösch ausloggen logout-durchführen abstimmen bestätigung abbruch storno abmeldung neu-starten in-den-warenkorb leeren
      sitzung-beenden entleeren austragen auslogen freigabe löschung kündigen absenden`,
    weak: 'an aus ein auf zu hoch runter kaufen bestellung senden melden schließen öffnen hinzu speichern merken',
    things: `benutzer nutzer konto kommentar artikel beitrag eintrag warenkorb korb merkliste merkzettel wunschliste
      bestellung newsletter passwort kennwort termin nachricht bild datei seite profil kunde kunden adresse licht lampe
      registrierung anmeldung abo anfrage sitzung den dem die der das mein alle zum zur aus gruppe mitglied position`,
  },
  fr: {
    ends: 'er ez e ir ion',
    stems: `supprim effac ajout annul confirm désactiv valid approuv rejet bloqu débloqu réinitialis restaur
      dépubli purg enlev signal renomm verrouill déverrouill exécut redémarr
      rembours résili recalcul refus accept envoy enregistr révoqu abandonn modifi réactiv déplac clôtur arrêt`,
    words: `ignorer protéger tronquer tuer réorganiser soumettre sauvegarder accepter annulation désactivation activer activez voter publier vider videz retirer ajout déconnexion déconnecter désabonner désabonnement
      désinscription désinscrire désinscrivez se-déconnecter se-désabonner se-désinscrire ajouter-au-panier vider-panier
      réinitialisation recalcul résiliation quitter bannir abonner sabonner fermer-session se-désengager`,
    weak: 'oui non allumer éteindre ouvrir fermer suivre voter acheter commander partager réserver',
    things: `panier compte utilisateur commande commentaire article message fichier photo produit adresse favori favoris
      newsletter lettre inscription mot passe rendez-vous au le la les de du mon ma à un membre liste abonnement cache
      sondage lumiere envies profil page sujet`,
  },
  es: {
    ends: 'ar e a ir ado',
    stems: `elimin borr suprim quit añad agreg anul cancel confirm desactiv valid aprob rechaz bloque
      desbloque restablec restaur vaci reinici deneg revoc apag encend`,
    words: `deshabilitar habilitar despublicar ejecutar proteger revertir trasladar truncar finalizar abandonar aceptar acepta eliminación cancelación desconectar desconexión cerrar-sesión finalizar-sesión terminar-sesión darse-de-baja
      dar-de-baja baja cerrarsesion desuscribir desuscribirse desinscribirse suscribir suscribirse descartar purgar
      limpiar vaciar salir reiniciar confirmación añadir quitar restablecer suprimir activar votar vota publicar guardar
      desuscripción desuscribirme darme-de-baja`,
    weak: 'si no abrir cerrar enviar comprar reservar recuperar pagar',
    things: `carrito cesta cuenta usuario pedido comentario artículo mensaje archivo foto producto dirección noticia boletín
      suscripción registro contraseña cita al el la los las de del mi todo todos lista deseos favoritos encuesta luz sesión
      correo página`,
  },
  ca: {
    ends: 'ar a eix ir',
    stems: 'elimin esborr suprim afeg anul·l cancel·l confirm desactiv aprov rebutj bloqu desbloqu buid restabl',
    words: `acceptar bloquejar bloqueja desbloquejar desbloqueja deshabilitar desprotegeix despublicar executa habilitar habilita inhabilita netejar neteja purga reanomena reverteix treure truncar tanca-sessió tancar-sessió tancar-la-sessió desconnecta desconnectar donar-se-de-baixa suprimeix afegeix
      eliminar-ho esborrar-ho surt baixa restableix`,
    things: 'cistella compte usuari comanda comentari article missatge a la el ho butlletí',
  },
  pt: {
    ends: 'ar e a ir er',
    stems: `exclu apag elimin delet adicion acrescent anul cancel confirm desativ valid aprov rejeit
      bloque desbloque restaur esvazi reinici recus limp descart revog redefin`,
    words: `desabilitar habilitar despublicar executar finalizar proteger resetar reverter truncar gravar abandonar aceitar aceita abandona excluir exclusão remoção cancelamento desconectar desinscrever descadastrar descadastrar-se descadastro
      terminar-sessão encerrar-sessão sair cancelar-inscrição cancelar-assinatura inscrever assinar reiniciar redefinir
      confirmação apagar-tudo remover remova ativar votar publicar deslogar desinscrição descadastre-se`,
    weak: 'sim não abrir fechar enviar comprar',
    things: `carrinho cesto cesta conta usuário utilizador pedido encomenda comentário artigo mensagem ficheiro arquivo foto
      produto endereço notícia boletim inscrição assinatura registro registo senha palavra-passe ao o a os as do da meu
      minha tudo lista desejos favoritos enquete sessão página`,
  },
  it: {
    ends: 'a are i ire ere ato',
    stems: `elimin cancell rimuov aggiung annull conferm disattiv approv rifiut blocc sblocc ripristin
      svuot riavvi reimpost disiscriv disconnett salv scart revoc accett`,
    words: `abilita disabilita esegui proteggi pulisci purga riordina sposta tronca abbandona abbandonare accetta eliminazione rimozione cancellazione annullamento disiscriviti disiscrizione disconnessione disconnettiti
      esci conferma-registrazione abbonati iscriviti aggiungi rimuovi elimina attiva attivare vota votare pubblica disdici disdetta cancellati
      annulla-iscrizione`,
    weak: 'si apri chiudi accendi spegni invia acquista compra',
    things: `carrello conto account utente ordine commento articolo articoli messaggio file foto prodotto indirizzo notizia
      newsletter iscrizione registrazione password al il la lo i gli di del mio tutto lista desideri preferiti
      sondaggio luce sessione pagina appuntamento`,
  },
  ro: {
    ends: 'ă a are eaza ează e ere',
    stems: 'șterg elimin adaug anul confirm dezactiv aprob resping blochea deblochea',
    words: `blochează deblochează curăță dezautentificare execută recuperează redenumire regenerează salvează trimite trunchiază deblocare blocare părăsește acceptă șterge ștergere elimină adaugă adăugare anulează golește deconectare deconectează deconectează-te dezabonare
      dezabonează ieșire dezabonează-te închide-sesiunea înlătură confirmă resetează votează activează`,
    things: 'coș cont utilizator comandă comentariu articol mesaj fișier produs newsletter parolă în din',
  },
  nl: {
    ends: 'en t',
    stems: `verwijder toevoeg annuler bevestig activer deactiver goedkeur afkeur blokker deblokker herstel
      publicer leegmak opzegg`,
    words: `aanvaarden afbreken hernoemen ontgrendel ontgrendelen publiceer terugdraaien terugplaatsen uitvoeren weiger beveiligen verlaten verwijder toevoegen annuleer bevestig afmelden uitloggen uitschrijven leegmaken in-winkelwagen in-winkelmand
      goedkeuren afwijzen afkeuren inschrijven opzeggen afzeggen uitschakelen inschakelen herstellen
      deactiveren activeren activeer verwijderen vergrendelen ontgrendelen intrekken weggooien accepteren weigeren`,
    weak: 'aan uit leeg opslaan verzenden wissen wis stem stemmen bestellen bestel legen',
    things: `winkelwagen winkelmand mandje account gebruiker bestelling reactie artikel bericht bestand foto product adres
      nieuwsbrief wachtwoord afspraak aan het de mijn alle verlanglijst licht pagina abonnement`,
  },
  da: {
    ends: 'e er',
    stems: 'annuller bekræft slett aktiver deaktiver stemm godkend afvis bloker nulstil gendan publicer tilføj',
    words: `afbryd afkort afpublicer flyt gendan tilbagekald udfør udgiv overvåg forlad slet fjern tilføj annuller annullér bekræft log-ud log-af logud logaf afmeld godkend afvis bestil
      læg-i-kurv aktiver ryd slå-fra slå-til afbestil framelding frameld opsig nulstil`,
    weak: 'tom tøm til fra køb gem send stem',
    things:
      'kurv indkøbskurv konto bruger ordre kommentar artikel besked fil billede vare nyhedsbrev adgangskode i alle min',
  },
  no: {
    ends: 'e er',
    stems: 'bekreft slett aktiver deaktiver stemm godkjenn avvis blokker nullstill gjenopprett publiser',
    words: `avpublisér beskytt flytt gjenopprett publiser tilbakekall utfør forlat slett fjern legg-til avbryt bekreft logg-ut loggut meld-av avmeld avslå godkjenn bestill avbestill
      kanseller legg-i-handlekurv tilbakestill opphev utfør avslutt`,
    weak: 'tom tøm på av kjøp lagre',
    things:
      'handlekurv konto bruker ordre bestilling kommentar artikkel melding fil bilde vare nyhetsbrev passord i alle min',
  },
  sv: {
    ends: 'a ar',
    stems: `bekräft aktiver inaktiver avaktiver avbeställ avbok godkänn blocker återställ publicer avpublicer
      prenumerer röst raderi`,
    words: `avbevaka avkorta döda flytta skrivskydda utför återkalla lämna acceptera radera ta-bort lägg-till avbryt bekräfta logga-ut loggaut avregistrera avprenumerera rensa rösta avvisa
      godkänn neka ångra aktivera avsluta beställ avbeställ återställ lägg-i-varukorg avanmäl avboka tacka-nej upphäv tömma`,
    weak: 'tom töm på av köp spara skicka',
    things: `varukorg kundvagn korg konto användare order beställning kommentar artikel meddelande fil bild vara produkt
      nyhetsbrev lösenord i alla min önskelista prenumeration`,
  },
  fi: {
    words: `piilota siirrä suojaa suorita toteuta raportoi poistu poista poisto lisää peruuta peru vahvista kirjaudu-ulos uloskirjautuminen tyhjennä äänestä hyväksy hylkää estä
      palauta julkaise aktivoi tilaa peruuta-tilaus peruuta-uutiskirje nollaa lukitse sulje-tili lopeta tuhoa irtisano
      kytke-päälle lisää-koriin`,
    weak: 'tyhjä osta tallenna lähetä päälle',
    things:
      'ostoskori kori tili käyttäjä tilaus kommentti artikkeli viesti tiedosto kuva tuote uutiskirje salasana koriin',
  },
  et: {
    words: `katkesta kinnitage kärbi lukusta puhasta salvesta sulge teisalda teosta tühjendamine kustuta eemalda lisa tühista kinnita logi-välja väljalogimine logout tühjenda hääleta keela luba taasta lähtesta
      blokeeri avalda loobu lisa-ostukorvi keeldu avalda tellimus-tühista lisa-korvi`,
    things:
      'ostukorv korv konto kasutaja tellimus kommentaar artikkel sõnum fail pilt toode uudiskiri parool ostukorvi',
  },
  hu: {
    words: `blokkolás eldobás elvetés engedélyezés felold feloldás helyreállítás indítás leállít mentés visszautasít zárol átnevezés mégsem elhagy elhagyás kilép törlés töröl töröld törlése hozzáadás hozzáad kosárba kosárba-tesz megerősítés megerősít megerősítése
      kijelentkezés kijelentkezes kilépés leiratkozás leiratkozik ürítés ürít kiürítés szavazás szavaz szavazok jóváhagyás
      elutasítás elfogadás letiltás tiltás visszaállítás visszavonás lemondás lemond aktiválás aktivál eltávolítás eltávolít
      visszavon közzététel zárolás feliratkozás kikapcsol bekapcsol mégse megrendelés újraindítás végrehajtás lefújás`,
    things: 'kosár fiók felhasználó rendelés megrendelés hozzászólás cikk üzenet fájl kép termék hírlevél jelszó',
  },
  lt: {
    words: `atrakinti išsaugoti pateikti pervadinti publikuoti užrakinti patvirtinu ištrinti trinti pašalinti pridėti atšaukti patvirtinti atsijungti balsuoti išvalyti ištuštinti atmesti blokuoti
      atblokuoti atkurti aktyvuoti prenumeruoti atsisakyti išjungti įjungti pirkti`,
    things: 'krepšelis krepšelį paskyra naudotojas užsakymas komentaras straipsnis naujienlaiškis slaptažodis',
  },
  lv: {
    words: `aizsargāt atslēgt novērst publicēt pārvietot saglabāt slēgt dzēst izdzēst noņemt pievienot atcelt apstiprināt iziet atslēgties izrakstīties balsot notīrīt iztukšot noraidīt
      bloķēt atjaunot aktivizēt atteikties pieņemt`,
    things: 'grozs grozā konts lietotājs pasūtījums komentārs raksts jaunumi parole',
  },
  pl: {
    ends: 'ij aj uj ić ać ować anie enie ienie',
    stems: `usun dod anul potwierdz aktyw dezaktyw głos zatwierdz odrzuc zablok odblok wyczyszcz opróżn wyrejestr
      opublik akcept rezygn zamawi kas zamroź wypis`,
    words: `odblokowanie odtwórz odśwież przenieś zabij zabezpiecz obserwuj opuść opuścić dezaktywuj usuń usunąć usun usuwanie usunięcie skasuj kasuj dodaj dodać anuluj anulować potwierdź potwierdz potwierdzenie
      wyloguj wyloguj-się wylogowanie wypisz wypisz-się wyczyść opróżnij głosuj zagłosuj odrzuć akceptuj zablokuj odblokuj
      przywróć resetuj zresetuj aktywuj kup zrezygnuj rezygnacja cofnij opublikuj zatwierdź zapisz-się odsubskrybuj wyłącz włącz
      odwołaj odwolaj zamów do-koszyka`,
    weak: 'otwórz zamknij wyślij zapisz tak nie',
    things: `koszyk koszyka konto użytkownik użytkownika zamówienie zamowienie komentarz artykuł wiadomość plik zdjęcie produkt
      newsletter hasło do z moje mnie wszystko ankieta wpis`,
  },
  cs: {
    ends: 'it at nout ovat uj ej eni ani',
    stems: `smaz vymaz odstran pridat odebr vlož zruš potvrd aktiv deaktiv hlas schval zamít zablok odblok obnov vyprázdn
      vysyp odhlás storn publik objedn registr zahod zakaz povol`,
    words: `nesledovat potvrzení provést přesunout spustit ukončit vyčistit zamknout nahlásit opustit přijmout odmítnout smazat smaž vymazat vymaž odstranit odstraň přidat přidej odebrat odeber zrušit zruš potvrdit potvrď odhlásit
      odhlásit-se odhlášení odhlasit hlasovat hlasuj vyprázdnit vysypat schválit zamítnout obnovit koupit
      objednat do-košíku stornovat storno zablokovat odblokovat uzamknout odemknout vypnout zapnout restartovat
      odhlaseni odhlásit-odběr aktivovat`,
    weak: 'ano ne uložit poslat odeslat',
    things: `košík košíku účet uživatel uživatele objednávka objednávku komentář článek zpráva soubor fotka produkt
      newsletter heslo do z anketa odběr se`,
  },
  sk: {
    ends: 'iť ať núť ovať uj',
    stems:
      'zmaz vymaz odstrán prid odober zruš potvrd aktiv hlas schvál zamiet zablok odblok obnov vyprázdn odhlás storn',
    words: `nesledovať presunúť spustiť vrátiť vynulovať vyčistiť zabiť zamknúť nahlásiť opustiť prijať zmazať zmaž vymazať vymaž odstrániť odstráň pridať pridaj odobrať zrušiť potvrdiť odhlásiť odhlásiť-sa odhlásenie
      hlasovať vyprázdniť schváliť zamietnuť kúpiť objednať do-košíka vypnúť zapnúť`,
    things: 'košík košíka účet používateľ objednávka komentár článok správa súbor produkt heslo sa',
  },
  sl: {
    words: `izvedi odizbriši odkleni prestavi shrani zakleni zavrzi zaščiti vrni pošlji izbriši izbris odstrani dodaj prekliči preklic potrdi odjava odjavi izprazni glasuj odobri zavrni blokiraj obnovi
      ponastavi aktiviraj kupi naroči objavi umakni počisti zbriši odjavi-se v-košarico omogoči onemogoči`,
    things: 'košarica košarico račun uporabnik naročilo komentar članek sporočilo datoteka izdelek novice geslo se v',
  },
  hr: {
    words: `premjesti spremi zaštiti sačuvaj izbriši obriši brisanje ukloni dodaj otkaži poništi potvrdi odjava odjavi odjavi-se isprazni glasaj glasuj odobri
      odbij blokiraj odblokiraj vrati resetiraj aktiviraj kupi naruči objavi očisti pošalji prihvati u-košaricu odustani
      dodati izbrisati obrisati ukloniti otkazati`,
    things: `košarica košaricu račun korisnik narudžba narudžbu komentar članak poruka datoteka proizvod newsletter lozinka se
      u korpa korpu porudžbina porudžbinu anketa`,
  },
  sr: {
    words: `обриши избриши уклони додај откажи поништи потврди одјава одјави испразни гласај одобри одбиј блокирај
      ресетуј активирај купи наручи очисти објави сачувај брисање`,
    things: 'корпа корпу налог корисник поруџбина коментар чланак порука лозинка се у',
  },
  bg: {
    words: `възстановяване заключи запази отключи отменяне отмяна отхвърлете потвърждаване приеми спиране одобрете изчистване преместване изпълнение изтрий изтриване премахни премахване добави откажи отказ отмени потвърди потвърждение изход излез излизане изпразни
      гласувай одобри отхвърли блокирай отблокирай възстанови активирай купи поръчай изчисти публикувай отпиши отписване
      отпиши-се абонирай деактивирай`,
    things: 'количка количката профил потребител поръчка коментар статия съобщение парола се бюлетин в',
  },
  ru: {
    ends: 'ить ать ять еть и й ение ание ация ировать уй',
    stems: `удал добав отмен подтверд актив деактив проголосов голосов одобр отклон заблокир разблокир очист восстанов сброс
      опубликов закаж отправ отпис подпис сохран перемест переименов выключ включ удалени`,
    words: `выполнить защитить откатить применить покинуть покинь обнулить удалить удали удаление убрать добавить добавь отмена отменить подтвердить подтверждение выход выйти выйди
      отписаться отписка отписать подписаться проголосовать голосовать очистить очистка сбросить сброс
      принять отклонить заблокировать разблокировать забанить восстановить активировать активация стереть завершить
      в-корзину отключить включить одобрить опубликовать обнулить снести`,
    weak: 'да нет открыть закрыть сохранить отправить вкл выкл купить заказать',
    things: `корзина корзину корзины аккаунт пользователь пользователя заказ комментарий статья статью сообщение файл фото товар
      рассылка рассылку пароль в из от мой все всё подписка подписку голосование избранное запись свет`,
  },
  uk: {
    words: `анулювати блокувати виконати вимкнути відкинути застосувати захистити знищити опублікувати перейменувати увімкнути покинути видалити видали видалення вилучити додати додай скасувати скасування відмінити підтвердити підтвердження вийти
      вихід відписатися відписка підписатися проголосувати голосувати очистити скинути замовити купити прийняти відхилити
      заблокувати розблокувати відновити активувати активація у-кошик до-кошика схвалити
      vydalyty dodaty skasuvaty vyjty pidtverdyty vidpysatysya`,
    weak: 'так ні відкрити закрити зберегти надіслати',
    things: `кошик кошика акаунт користувач користувача замовлення коментар стаття статтю повідомлення файл товар розсилка
      пароль в із з усе`,
  },
  el: {
    words: `άκυρο ανάκληση αναστροφή εκτέλεση καθάρισμα μετακίνηση τερματισμός αποθήκευση αποστολή διαγραφή διάγραψε διαγράψτε προσθήκη ακύρωση ακυρώνω επιβεβαίωση αποσύνδεση έξοδος κατάργηση αφαίρεση άδειασμα
      ψήφος ψηφίστε ψήφισε έγκριση απόρριψη φραγή επαναφορά ενεργοποίηση απενεργοποίηση αγορά παραγγελία απεγγραφή εκκαθάριση
      δημοσίευση αποδοχή αναίρεση κλείδωμα ξεκλείδωμα`,
    things:
      'καλάθι λογαριασμός λογαριασμού χρήστης χρήστη παραγγελίας σχόλιο σχολίου άρθρο άρθρου μήνυμα αρχείο προϊόν κωδικός',
  },
  tr: {
    words: `etkisizleştir sonlandır taşı çalıştır raporla ayrıl sil silme ekle ekleme kaldır çıkar çıkart iptal iptal-et onayla onay çıkış çıkış-yap oturumu-kapat boşalt temizle oyla
      oy-ver reddet kabul-et engelle engeli-kaldır sıfırla etkinleştir devre-dışı-bırak devredışı satın-al sipariş-ver
      yayınla geri-al geri-yükle abonelikten-çık abone-ol aboneliği-iptal doğrula kilitle yasakla sepete-ekle
      yeniden-başlat durdur başlat güncelle`,
    weak: 'at aç kapat evet hayır kaydet gönder boş',
    things: `sepet sepete sepeti hesap hesabı kullanıcı sipariş siparişi yorum makale mesaj dosya resim ürün bülten şifre et
      yap haber konu sayfa üye anket oturum oturumu`,
  },
  id: {
    words: `eksekusi kembalikan lindungi pindahkan terima lepas nyahhapus nyahpantau tinggalkan hapus hapuskan buang tambah tambahkan batal batalkan konfirmasi keluar kosongkan pilih-suara vote setujui tolak
      blokir buka-blokir pulihkan reset aktifkan nonaktifkan beli pesan berhenti-berlangganan berlangganan cabut terbitkan
      log-keluar padam singkirkan sahkan langgan nyahaktif nyahlanggan kunci bersihkan`,
    weak: 'ya buka tutup kirim simpan',
    things:
      'keranjang troli akun akaun pengguna pesanan komentar artikel berita pesan file gambar produk sandi ke dari data laman',
  },
  vi: {
    words: `rời-nhóm xóa xoá xóa-bỏ xóa-hết xóa-tất-cả gỡ-bỏ thêm thêm-vào thêm-vào-giỏ hủy huỷ hủy-bỏ hủy-đăng-ký huỷ-đăng-ký xác-nhận
      đăng-xuất thoát bỏ-phiếu bình-chọn phê-duyệt từ-chối chặn bỏ-chặn khôi-phục kích-hoạt vô-hiệu-hóa mua-ngay đặt-hàng
      đặt-lại ngừng-theo-dõi hủy-đơn khóa`,
    weak: 'bật tắt mở đóng lưu gửi mua',
    things: 'giỏ hàng đơn tài khoản người dùng bài viết bình luận tin nhắn tệp ảnh sản phẩm bản mật khẩu',
  },
  ar: {
    words: `أكد إبطال إسقاط احفظ استرجع انقل تمكين تنفيذ فارغ مكن إرسال حذف احذف إحذف مسح إزالة أزل أضف إضافة اضافة إلغاء الغاء ألغ تأكيد تاكيد خروج الخروج تسجيل-الخروج تسجيل-خروج إفراغ
      تفريغ صوت تصويت موافقة قبول رفض حظر منع استعادة استرجاع تفعيل تعطيل شراء إلغاء-الاشتراك الغاء-الاشتراك اشتراك نشر قفل
      اعتماد khuruj khorooj khoroj hadhf hazf hathf ilgha ilghaa idafa iadafa taakid tasjil-khuruj masah`,
    things: 'السلة سلة الحساب حساب المستخدم مستخدم الطلب طلب تعليق مقال رسالة ملف منتج الاشتراك إلى من النشرة',
  },
  fa: {
    words: `احیا انتقال برداشتن ذخیره واگردانی پاک‌سازی کنسل حذف حذف-کردن پاک پاک-کردن افزودن اضافه اضافه-کردن لغو لغو-عضویت تأیید تایید خروج خارج-شدن خالی-کردن رای رأی رد قبول
      مسدود بازیابی فعال غیرفعال خرید انصراف لغو-اشتراک انتشار khorooj khoruj khorouj hazf laghv afzoodan taeed`,
    things: 'سبد سبدخرید حساب کاربر سفارش نظر مقاله پیام فایل محصول خبرنامه رمز به از کردن',
  },
  he: {
    words: `השלכה השמטה חיסול לסלק מאתחל פינוי שליחה שלילה שמירה העברה מחק מחיקה מחיקת הסר הסרה הוסף הוספה ביטול בטל אישור אשר יציאה התנתק התנתקות ניתוק רוקן ריקון הצבע הצבעה דחה דחייה חסום
      חסימה שחזור הפעל הפעלה השבת השבתה קנה הזמן ביטול-מינוי ביטול-הרשמה פרסם פרסום איפוס להסיר למחוק להתנתק
      hitnatkut yetzia mehika machika bitul hosafa hasara`,
    things: 'סל עגלה לעגלה לסל חשבון משתמש הזמנה תגובה מאמר הודעה קובץ מוצר מינוי סיסמה מנוי ניוזלטר',
  },
  hi: {
    words: `प्रकाशित स्थानांतरण हटाना পুনরুদ্ধার हटाएं हटाएँ हटाओ हटा-दें मिटाएं मिटाएँ मिटाओ जोड़ें जोड़ो रद्द रद्द-करें निरस्त पुष्टि पुष्टि-करें लॉग-आउट लॉगआउट निकालें
      खाली-करें वोट मत-दें स्वीकार अस्वीकार अवरोधित पुनर्स्थापित सक्रिय निष्क्रिय खरीदें सदस्यता-रद्द सदस्यता-समाप्त मुछ मुछुन
      মুছুন মুছে-ফেলুন অপসারণ বাতিল যোগ-করুন লগ-আউট নিশ্চিত প্রস্থান
      hatao hataye hataen hatayen mitao mitaye jodo joden jode radd radd-kare raddkaren nirast pushti pushti-kare kharide`,
    things: 'कार्ट खाता उपयोगकर्ता ऑर्डर टिप्पणी लेख संदेश फ़ाइल करें करो दें में से karen kare karo khata lekh',
  },
  th: {
    words: `ถอดออก บันทึก ป้องกัน ย้าย ล็อค เผยแพร่ ล้างแคช ลบ ลบออก ลบทิ้ง ลบทั้งหมด เพิ่ม ใส่ ยกเลิก ยืนยัน ออกจากระบบ ล้าง ลงคะแนน โหวต อนุมัติ ปฏิเสธ บล็อก ปลดบล็อก กู้คืน
      เปิดใช้งาน ปิดใช้งาน ซื้อ สั่งซื้อ เลิกติดตาม เลิกรับ รีเซ็ต`,
    things: 'ตะกร้า บัญชี ผู้ใช้ คำสั่งซื้อ ความคิดเห็น บทความ ข้อความ ไฟล์ สินค้า สมาชิก รหัสผ่าน ลงใน ใน จาก ทั้งหมด การ ข่าวสาร',
  },
  zh: {
    words: `保存 保护 保護 丢弃 刷新 回退 执行 接受 移动 移動 监视 取消监视 上传 删除 刪除 移除 清空 清除 添加 加入 增加 新增 取消 撤销 撤銷 退订 退訂 登出 退出 注销 登出 註銷 投票 点赞 點讚 批准 通过
      拒绝 拒絕 封禁 封鎖 解封 确认 確認 激活 启用 啟用 停用 禁用 重置 还原 還原 恢复 购买 購買 下单 结账 結帳 支付 发布 關注 关注
      取关 订阅 訂閱 审核 提交 锁定 解锁 重启 重啟 关机 收藏 回收
      shanchu tuichu quxiao zhuxiao dengchu tianjia qingkong quxiaodingyue tuiding toupiao queren jihuo dianzan shenhe
      goumai chongzhi jinyong qiyong xiadan chongqi`,
    things: `用户 用戶 账号 帳號 账户 帳戶 文章 评论 評論 订单 訂單 购物车 購物車 会员 會員 商品 留言 消息 图片 页面 密码 密碼 邮件 郵件
      系统 登录 登入 全部 至 到 此 我的 帖子 关注 订阅 訂閱 收藏 yonghu wenzhang dingdan gouwuche pinglun zhanghao`,
  },
  ja: {
    words: `保存 保存する 実行 実行する 移動 許可 有効 無効 巻き戻し 切り捨て ロックする ロック 削除 追加 取消 取り消し 取消し キャンセル ログアウト 退会 解除 配信停止 購読解除 購読 確認 承認 拒否 投票 空にする クリア リセット
      復元 有効化 無効化 購入 注文する 注文確定 カートに入れる 破棄 公開 非公開 停止 解約 登録解除 サインアウト 再起動 消去 初期化
      sakujo sakujyo tsuika torikeshi kaijo kaiyaku taikai haishin-teishi roguauto rogauto shounin touhyou`,
    things: `ユーザー アカウント 記事 コメント 注文 カート 会員 商品 メッセージ 画像 ページ パスワード メール メルマガ 登録 予約 に を の から すべて
      する お気に入り 全`,
  },
  ko: {
    ends: '하기 하다 하세요',
    stems:
      '삭제 제거 추가 취소 확인 승인 거부 거절 투표 차단 복원 활성화 비활성화 구매 주문 구독 해지 탈퇴 초기화 공감 추천 신고',
    words: `게시 보호 시작 실행하기 이동 저장 제출하다 폐기하다 잠금 확인 삭제 제거 추가 담기 비우기 취소 로그아웃 수신거부 구독취소 구독해지 해지 탈퇴 승인 거부 거절 투표 차단 차단해제 복원 되돌리기 활성화
      비활성화 구매하기 주문하기 초기화 확인하기 추천 신고 공감 지우기 회원탈퇴 잠금 해제
      sakje sakjae chwiso chuga logauteu rogeuaut`,
    things:
      '회원 계정 글 게시글 댓글 주문 장바구니 상품 메시지 이미지 비밀번호 뉴스레터 구독 수신 에 모두 전체 해제 취소',
  },
};
