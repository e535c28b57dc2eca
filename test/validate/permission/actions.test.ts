import { describe, expect, it } from 'vitest';
import { createActionTest } from '../../../src/validate/permission/actions.js';

const reasonOf = createActionTest();

const ACTIONS = `
/logout
/Logout.aspx
/user/logout
/account/sign-out
/signOut
/log_out.php
/logoff/
/wiki/Special:UserLogout
/index.php?title=Special:UserLogout&returnto=Main
/wp-login.php?action=logout&_wpnonce=1
/ucp.php?mode=logout&sid=1
/a?do=logout
/a?logout
/a?logout=1
/a?x=logout
/%6Cogout
/%256cogout
/lo%67out?x
/déconnexion
/d%C3%A9connexion
/delete
/delete/3
/user/delete/3
/items/3/delete
/posts/12/delete-comment
/delete_user.php?id=3
/deleteUser?id=3
/deleteuser.php
/comment_remove.jsp
/cart/remove/7
/admin/deleteFile/9
/node/12/edit
/edit?action=submit
/index.php?title=A&action=edit
/index.php?title=A&action=delete
/index.php?title=A&action=purge
/index.php?title=A&action=rollback
/index.php?title=A&action=submit
/doku.php?id=a&do=edit
/a?op=delete&id=4
/a?cmd=user.remove
/a?task=article.trash
/a?_method=DELETE
/a?func=addComment
/a?id=3;action=delete
/a;action=delete?x=1
/?delete=12
/?delete[]=12
/?delete%5B%5D=12
/list?remove_item=abc
/list?removeItem=abc
/cart/add
/cart/add/12
/shop/add-to-cart/12
/shop/addToCart?id=1
/product/?add-to-cart=99
/?add_to_wishlist=4
/basket/empty
/checkout
/newsletter/unsubscribe/abc
/unsubscribe.php?u=3
/mail?unsubscribe=1
/posts/7/like
/posts/7/vote
/a?vote=up
/vote.php?id=3
/poll?upvote
/users/4/follow
/friends/4/unfollow
/notifications/mark-as-read
/reboot
/wp-admin/post.php?post=1&action=trash
/wp-cron.php
/cron.php?key=1
/abmelden
/artikel/loeschen/4
/artikel/l%C3%B6schen/4
`;

const PAGES = `
/
/blog/how-to-delete-a-file
/help/how-to-logout
/blog/why-you-should-unsubscribe
/like-new
/articles/vote-2024-results-by-county
/products/like-new/12
/category/removable-drives
/deleted-scenes
/undeleted
/dropbox
/news/2024/parliament-votes-to-remove-tariffs
/questions/5767325/how-can-i-remove-a-specific-item-from-an-array
/search?q=delete
/search?q=how+to+logout
/search?query=remove+file
/?s=unsubscribe+me
/list?sort=asc&order=desc
/list?order=price
/list?page=2&share=1
/a?submit=Search&q=x
/a?title=How+to+delete+a+file+in+linux
/a?title=Main_Page
/index.php?title=A&action=history
/index.php?title=A&action=raw
/index.php?title=A&oldid=3
/doku.php?id=start&do=export_raw
/viewtopic.php?t=3&start=20
/posting.html
/a?action=view
/a?action=print&id=3
/a?mode=list
/a?op=show
/a?cmd=display
/a?m=201305
/a?date=2024-01-01
/a?update_id=3
/editorial/12
/edition/3
/addresses/12
/additional-info
/books/saved-by-the-bell
/reports/2023/annual
/order-history-of-the-byzantine-empire
/purchases-and-sales
/buyers-guide
/a?redirect=https://example.com/some/long/page/with/words
/a?replytocom=12
/a?PHPSESSID=0a1b2c
/a?utm_source=newsletter&utm_medium=email
/docs/git-checkout
/docs/git-reset-hard
/archive/2012/05/
/~user/index.html
/cgi-bin/title.cgi?2172
/a;jsessionid=1F0
/a?&&=
/%FF%FE
/%zz?%
/confirmation.html
/movies/12
/cancellation-policy
/paypal
/payments.html
/sets/banner.png
/locker-room
`;

/** Each does something by GET in some software, or by the convention of some language. */
const MORE_ACTIONS = `
?r=post/delete&id=7
?q=node/7/delete
?route=account/address/delete
?page=delete_user
/rpc?name=deleteUser
/delete-user-account/7
/admin_user_delete.php
/deleteaddress
/orders/cancel-order/7
/post/dELETE/7
/dElEtE/9
/cart/clear
/job/x/build?token=abc
/switch/7/on
/tasks/run-daily
/monitor/silence?alert=Disk
/process_bug.cgi?id=9
/deploy.php?branch=main
/cart/add.js?id=9
/licht/wohnzimmer/aus
/x?knopf=cancel
/json.htm?type=command&param=switchlight&switchcmd=Off
/fhem?cmd.lamp=set%20lamp%20on
/goform/setWan?ip=1
/api?mode=addurl&name=x
/poll/close/9
/redis?cmd=FLUSHALL
/cgi-bin/gpio.py?pin=4&value=1
/gruppe/verlassen/9
/fax.php?to=9&send=1
/deluser?id=9
?sql=DELETE+FROM+users
/adminer.php?sql=DROP%20TABLE%20x
/q?sql=UPDATE%20x%20SET%20a=1
/misc.php?action=markread&my_post_key=0
/inlinemod.php?do=deletethread
/index.php?action=mergetopics;from=3
/threads/abc.44/watch
/wiki/Special:Undelete/Main
/wiki/Spezial:Abmelden
/?wc-ajax=add_to_cart
/cart/?undo_item=0a1b2c
/wp-trackback.php?p=4
/flag/unflag/bookmarks/9
/node/9/revisions/4/revert
/?tx_felogin_pi1[logintype]=logout
/index.php?id=4&tx_x_pi1%5Baction%5D=delete
/product_info.php?products_id=9&action=buy_now
/checkout/addArticle/sAdd/SW1
/index.php?cl=details&fnc=tobasket&aid=9
/job/x/doDelete
/job/x/doWipeOutWorkspace
/job/x/stop
/computer/x/toggleOffline?offlineMessage=a
/-/jobs/9/retry
/org/repo/action/watch
/pages/doremovepage.action?pageId=4
/manager/html/undeploy?path=/x
/solr/core/replication?command=disablepoll
/idx/_forcemerge
/idx/_refresh
/scripts/killacct?user=joe
/userRpm/SysRebootRpm.htm?Reboot=Reboot
/rebootinfo.cgi
/cm?cmnd=Power%20On
/cm?cmnd=Dimmer%2050
/light/0?turn=on&brightness=50
/rpc/Switch.Set?id=0&on=true
/door/open
/jsonrpc?request=%7B%22method%22%3A%22Player.PlayPause%22%7D
/update?stream.body=%3Cdelete%3Ex%3C/delete%3E
/command/pauseAll
/adfs/ls/?wa=wsignout1.0
/event/9/join
/posts/9/voteup
/invoice/9/pay
/notifications/read-all
/list.php?drop_id=4
/index.php?delid=4
/items/44;method=DELETE/
/%2564elete/9
/ADD2CART?id=9
/newsletter/send/44
/bbs/vote.php?good=good
/loesche.php?id=4
/konto-loeschen
/l%F6schen/9
/in-den-warenkorb/9
/kommentarFreischalten/9
/desinscription?e=4
/supprimer_compte.php
/se_desinscrire
/panier/vider
/cerrar_sesion
/anadir-al-carrito/9
/darme-de-baja
/svuota-carrello
/annulla_ordine?id=4
/excluir_usuario.php?id=4
/terminar-sessao
/usun.php?id=4
/usu%C5%84/9
/dodaj-do-koszyka/9
/%D1%83%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D1%8C/9
/udalit/9
/%F3%E4%E0%EB%E8%F2%FC/9
/ochistit-korzinu
/%D0%B2%D1%8B%D0%B9%D1%82%D0%B8
/%D0%B2%D0%B8%D0%B4%D0%B0%D0%BB%D0%B8%D1%82%D0%B8/9
/%D0%B8%D0%B7%D1%82%D1%80%D0%B8%D0%B9/9
/pridat-do-kosiku/9
/smazat-ucet
/kijelentkez%C3%A9s
/torles/9
/stergere.php?id=9
/obrisi/9
/odjavi-se
/cikis.php
/sepete-ekle/9
/uye-sil/9
/l%C3%A4gg-i-varukorg/9
/slet/9
/uitschrijven?e=4
/kirjaudu-ulos
/kustuta/9
/i%C5%A1trinti/9
/dz%C4%93st/9
/hapus-akun
/tambah-ke-keranjang/9
/xoa-bai-viet/9
/%C4%91%C4%83ng-xu%E1%BA%A5t
/%E5%88%A0%E9%99%A4%E7%94%A8%E6%88%B7/9
/user/tuichu
/%E3%83%A6%E3%83%BC%E3%82%B6%E3%83%BC%E5%89%8A%E9%99%A4/9
/%ED%9A%8C%EC%9B%90%ED%83%88%ED%87%B4
/%E0%B8%A5%E0%B8%9A/9
/%D8%AA%D8%B3%D8%AC%D9%8A%D9%84-%D8%A7%D9%84%D8%AE%D8%B1%D9%88%D8%AC
/%D7%94%D7%AA%D7%A0%D7%AA%D7%A7
/%CE%B5%CE%BE%CE%BF%CE%B4%CE%BF%CF%82
`;

const TOKENS = `
/?na=u&nk=12-abc
/?download_file=9&key=0a1b2c
/verify/0a1b2c3d4e
/invite/0a1b2c3d
/api/webhook/front-door
/page?api_key=0A1B
/page?csrf_token=x
/page?signature=x
/page?csrfKey=ab
/page?token_auth=ab
/saml/acs?SAMLResponse=abc
/?invite=abcdef
/login.php?user=a&pass=b
/page?email=joe%40example.org
/news/joe@example.org
/page?code=0a1b2c
/paypal/return?PayerID=Q7
`;

const MORE_PAGES = `
/tag/purge/
/tags/unsubscribe
/wiki/Delete_key
/wiki/Logout
/wiki/Special:WhatLinksHere/Delete
/docs/git-rm
/docs/api/users/delete-user
/api-reference/delete
/man/1/kill
/php/manual/en/function.delete.php
/dictionary/abmelden
/questions/12/remove-duplicates
/catalogue/delete_88/
/catalogue/delete_88/reviews/5/
/elections/vote-2024/results
/2012/05/update.html
/news/2023/update
/blog/2023/05/add-dark-mode
/news/government-shutdown
/help/cancel-order
/ratgeber/konto-kuendigen-muster
/actualites/suppression-de-postes
/novosti/otmena-reysov
/berita/hapus-utang
/kaufen/haus
/wissen/biologie
/umzug/entsorgung
/%EB%89%B4%EC%8A%A4/%EC%82%AD%EC%A0%9C%EB%90%9C-%EC%9E%A5%EB%A9%B4
/img/delete.png
/css/reset.css
/src/main/java/Delete.java
/repo.git/plain/lib/remove.js?h=1.0
/gitweb?p=repo.git;a=commit;h=0a1b2c3d4e5f60718293a4b5c6d7e8f901234567
/gitweb?p=repo.git;a=search;s=dev@example.org;st=author
/users/12/edit-history
/changelog
/shop/kill-switch
/shop/remover-spray
/hotel/del-mar
/release/1.0
/pub/linux/ChangeLog-5.8.1
/org/build/issues/3739
/npm/underscore@1.13.4/underscore
/cpython/tree/3.11/Lib/token.py
/jobs/process-engineer
/x?color=clear
/citadel
/stoppage
/watch/12345
/video/12345/play-it-again
/viewtopic.php?t=4&hilit=delete
/x?key=name
/x?code=404
/x?state=on
/x?debug=on
/x?redirect=/logout
/x?return_to=/cart/add
/x?file=remove-user.pdf
/x?topic=delete-account
/x?tab=report
/x?page=about_us
/x?lang=del
/x?sid=9f86d081884c7d659a2feaa0c55ad015
/a;jsessionid=1A530637289A03B07199A44E8D531427?id=7
/e0add12
/x?id=0deadd1
`;

const lines = (table: string) => table.trim().split('\n');

describe('URLs that look like an action', () => {
  it.each([...lines(ACTIONS), ...lines(MORE_ACTIONS)])('refuses %s', (path) => {
    expect(reasonOf(path.startsWith('?') ? `/index.php${path}` : path)).toBe('action-url');
  });
  it.each(lines(TOKENS))('refuses %s, which has a secret in it', (path) => expect(reasonOf(path)).toBe('token-url'));
  it.each([...lines(PAGES), ...lines(MORE_PAGES)])('lets %s pass', (path) => expect(reasonOf(path)).toBeUndefined());

  it('does not depend on letter case, nor on the extension of a script', () => {
    const plain = lines(ACTIONS).filter((path) => !/[a-z][A-Z]|%/.test(path));
    expect(plain.length).toBeGreaterThan(50);
    for (const path of plain) expect(reasonOf(path.toUpperCase()), path).toBe('action-url');
    for (const path of ['/delete.php', '/delete.html', '/logout.do', '/x/unsubscribe.aspx']) {
      expect(reasonOf(path), path).toBe('action-url');
    }
  });

  it('does not depend on escapes, nor on the order of fields', () => {
    const escapes = (path: string) =>
      path.replace(/[a-z](?=[a-z]*$)/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    const paths = lines(MORE_ACTIONS).filter((path) => /^\/.*[a-z]$/.test(path) && !/[=.]/.test(path));
    expect(paths.length).toBeGreaterThan(30);
    for (const path of paths) expect(reasonOf(escapes(path)), path).toBe('action-url');
    for (const path of paths) expect(reasonOf(`${path}?a=5&z=3`), path).toBe('action-url');
    for (const fields of ['id=7&do=delete', 'do=delete&id=7', 'id=7;do=delete']) {
      expect(reasonOf(`/x.php?${fields}`), fields).toBe('action-url');
    }
  });

  it('is the same for a path and for a route that is the value of a field', () => {
    const routes = ['user/delete', 'node/7/edit', 'cart/add/9', 'artikel/7/loeschen'];
    for (const route of routes) {
      expect(reasonOf(`/${route}`), route).toBe('action-url');
      expect(reasonOf(`/index.php?q=${route}`), route).toBe('action-url');
      expect(reasonOf(`/index.php?r=${encodeURIComponent(route)}&x=1`), route).toBe('action-url');
    }
    for (const route of ['user/anna', 'docs/delete', 'wiki/Delete_key']) {
      expect(reasonOf(`/index.php?r=${route}`), route).toBeUndefined();
    }
  });

  it('accepts further phrases from the user', () => {
    const withMore = createActionTest(['ordern', 'In die Tasche', '']);
    const paths = ['/x/ordern', '/in-die-tasche/4', '/a?inDieTasche=3'];
    expect(paths.map(withMore)).toEqual(['action-url', 'action-url', 'action-url']);
    expect(paths.map((path) => reasonOf(path))).toEqual([undefined, undefined, undefined]);
    expect(withMore('/tasche')).toBeUndefined();
    expect(withMore('/')).toBeUndefined();
  });

  it('takes little time for URLs made to waste it', () => {
    expect(reasonOf(`/${'a-'.repeat(50_000)}?${'x=%2525'.repeat(10_000)}&${'=&'.repeat(10_000)}`)).toBeUndefined();
    expect(
      reasonOf(`/${'do'.repeat(500)}/${'add'.repeat(300)}?${'del'.repeat(300)}=${'{"method":"'.repeat(50)}`),
    ).toBeUndefined();
  });
});
