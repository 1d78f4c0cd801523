<?php

declare(strict_types=1);

namespace FlorinWoo;

use Closure;
use InvalidArgumentException;
use WC_Admin_Settings;

/** The settings page: fields, and the two buttons below them. */
final class Form
{
    /** @return array<string, array<string, mixed>> */
    public static function fields(): array
    {
        $key = static fn (string $title, string $starts, string $mode): array => [
            'title' => $title,
            'sanitize_callback' => self::checked(static fn (string $typed): string => Input::key($typed, $mode)),
            'type' => 'password',
            'description' => sprintf(
                /* translators: %s: sk_test_… or sk_live_… */
                __('From Keys in the dashboard of Florin: %s', 'florin-payments'),
                $starts,
            ),
            'default' => '',
            'custom_attributes' => ['autocomplete' => 'off'],
        ];
        $secret = static fn (string $title): array => [
            'title' => $title,
            'sanitize_callback' => self::checked(Input::webhookSecret(...)),
            'type' => 'password',
            'description' => __('Only if you don’t connect with the button below: whsec_…', 'florin-payments'),
            'default' => '',
            'custom_attributes' => ['autocomplete' => 'off'],
        ];

        return [
            'enabled' => ['title' => __('Enable', 'florin-payments'), 'type' => 'checkbox', 'label' => __('Take payments with Florin', 'florin-payments'), 'default' => 'no'],
            'title' => ['title' => __('Title', 'florin-payments'), 'type' => 'text', 'description' => __('What customers choose at the checkout.', 'florin-payments'), 'default' => __('Card or bank', 'florin-payments')],
            'description' => ['title' => __('Description', 'florin-payments'), 'type' => 'textarea', 'default' => __('You pay on a secure page and come back here.', 'florin-payments')],
            'base_url' => ['title' => __('Address of Florin', 'florin-payments'), 'type' => 'text', 'description' => __('Such as https://pay.example.com', 'florin-payments'), 'default' => '', 'sanitize_callback' => self::checked(Input::address(...))],
            'testmode' => ['title' => __('Test mode', 'florin-payments'), 'type' => 'checkbox', 'label' => __('Use the test key: no money moves', 'florin-payments'), 'default' => 'yes'],
            'saving' => ['title' => __('Saved methods', 'florin-payments'), 'type' => 'checkbox', 'label' => __('Let signed-in customers save their card or bank account for later purchases', 'florin-payments'), 'description' => __('Needed for WooCommerce Subscriptions. A network of your Florin must be able to save.', 'florin-payments'), 'default' => 'no'],
            'test_key' => $key(__('Test key', 'florin-payments'), 'sk_test_…', 'test'),
            'live_key' => $key(__('Live key', 'florin-payments'), 'sk_live_…', 'live'),
            'test_webhook_secret' => $secret(__('Webhook secret, test', 'florin-payments')),
            'live_webhook_secret' => $secret(__('Webhook secret, live', 'florin-payments')),
        ];
    }

    /**
     * WooCommerce keeps the old value of a field whose callback throws, but shows no reason unless it is told to.
     *
     * @param Closure(string): string $check
     * @return Closure(mixed): string
     */
    private static function checked(Closure $check): Closure
    {
        return static function (mixed $typed) use ($check): string {
            try {
                return $check(sanitize_text_field(wp_unslash((string) $typed)));
            } catch (InvalidArgumentException $error) {
                WC_Admin_Settings::add_error($error->getMessage());
                throw $error;
            }
        };
    }

    public static function buttons(): void
    {
        wp_enqueue_script('florin-admin', plugins_url('assets/admin.js', FLORIN_PAYMENTS_FILE), [], '0.1.0', true);
        $attributes = [
            'url' => admin_url('admin-ajax.php'),
            'nonce' => wp_create_nonce('florin_connection'),
            'unsaved' => __('Save your changes first.', 'florin-payments'),
            'broken' => __('That did not work. Reload this page and try again.', 'florin-payments'),
        ];
        $data = implode(' ', array_map(static fn (string $name, string $value): string => sprintf('data-%s="%s"', $name, esc_attr($value)), array_keys($attributes), $attributes));
        printf(
            '<p class="florin-connection" %s><button type="button" class="button" data-do="test" disabled>%s</button> <button type="button" class="button" data-do="endpoint" disabled>%s</button> <span role="status">%s</span></p><p class="description">%s <code>%s</code></p>',
            $data, // phpcs:ignore WordPress.Security.EscapeOutput -- escaped above
            esc_html__('Test connection', 'florin-payments'),
            esc_html__('Connect notifications', 'florin-payments'),
            esc_html(self::notificationStatus()),
            esc_html__('Florin reports payments, refunds and disputes to', 'florin-payments'),
            esc_html(Settings::callbackUrl()),
        );
    }

    private static function notificationStatus(): string
    {
        $mode = Settings::mode();

        return match (true) {
            Settings::isConnected($mode) => __('Notifications are connected.', 'florin-payments'),
            Settings::endpoint($mode) !== null => __('The address of this shop or of Florin has changed. Connect notifications again.', 'florin-payments'),
            default => __('Notifications are not connected yet.', 'florin-payments'),
        };
    }
}
