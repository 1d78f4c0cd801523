<?php

declare(strict_types=1);

namespace FlorinWoo;

use Florin\Exception\FlorinException;
use Florin\Exception\NotFoundException;
use Florin\Result\Account;

/** The buttons of the settings page: test the connection, and have Florin report to this shop. */
final class Connection
{
    public static function answer(): never
    {
        check_ajax_referer('florin_connection');
        if (!current_user_can('manage_woocommerce')) {
            wp_send_json_error(__('You may not do this.', 'florin-payments'), 403);
        }
        $isEndpoint = sanitize_key(wp_unslash((string) ($_POST['do'] ?? ''))) === 'endpoint';
        try {
            wp_send_json_success($isEndpoint ? self::connect(Settings::mode()) : self::test(Settings::mode()));
        } catch (FlorinException $error) {
            wp_send_json_error(Input::withoutSecrets($error->getMessage()));
        }
        exit;
    }

    public static function test(string $mode): string
    {
        $account = Account::from((new Http($mode))->call('GET', '/api/account'));
        if ($account->mode !== $mode) {
            /* translators: 1: mode of the key 2: mode of the shop */
            return sprintf(__('This key is for %1$s mode, but the shop is in %2$s mode.', 'florin-payments'), (string) $account->mode, $mode);
        }
        if (!in_array(get_woocommerce_currency(), $account->currencies, true)) {
            /* translators: %s: currency */
            return sprintf(__('Connected, but this account does not take %s.', 'florin-payments'), get_woocommerce_currency());
        }

        /* translators: 1: merchant 2: mode */
        $connected = sprintf(__('Connected to %1$s in %2$s mode.', 'florin-payments'), $account->merchant, $mode);

        return self::hasEndpoint($mode) ? $connected : "$connected " . __('Notifications are not connected yet.', 'florin-payments');
    }

    /** Whether Florin still has the endpoint: it may have been deleted there, or the key may be of another account. */
    private static function hasEndpoint(string $mode): bool
    {
        $ids = Settings::isConnected($mode) ? array_column((new Http($mode))->call('GET', '/api/endpoints?limit=100'), 'id') : [];

        return in_array(Settings::endpoint($mode)['id'] ?? '', $ids, true);
    }

    /** Registers this shop's callback once; pressed again it starts over with a new secret. */
    public static function connect(string $mode): string
    {
        $http = new Http($mode);
        $url = Settings::callbackUrl();
        foreach ($http->call('GET', '/api/endpoints?limit=100') as $old) {
            if (($old['url'] ?? '') === $url) {
                try {
                    $http->call('DELETE', '/api/endpoints/' . rawurlencode((string) $old['id']));
                } catch (NotFoundException) {
                    // Someone else deleted it.
                }
            }
        }
        $account = Account::from($http->call('GET', '/api/account'));
        $made = $http->call('POST', '/api/endpoints', ['url' => $url, 'description' => mb_substr('WooCommerce: ' . wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES), 0, 100)]);
        Settings::keepEndpoint($mode, [
            'id' => (string) $made['id'],
            'secret' => (string) $made['secret'],
            'url' => $url,
            'florin' => Settings::baseUrl(),
            'merchant' => (string) ($account->data['merchant']['id'] ?? ''),
        ]);

        return __('Notifications are connected.', 'florin-payments');
    }
}
