// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "./IERC20.sol";

/// @title Beryl Dollar
/// @notice The program of a token that is a part of the node, like the B20 tokens of Base. It is never deployed: the node runs
/// it at the token's address, whose account has storage and no code.
contract PlatformToken is IERC20 {
    /// @notice Only the issuer may do this; `caller` is not the issuer.
    error NotIssuer(address caller);

    /// @notice `account` holds `balance`, less than the `needed` amount.
    error InsufficientBalance(address account, uint256 balance, uint256 needed);

    /// @notice `spender` may spend `allowance`, less than the `needed` amount.
    error InsufficientAllowance(address spender, uint256 allowance, uint256 needed);

    /// @notice What a transfer was for.
    event Memo(address indexed from, address indexed to, bytes32 indexed memo);

    string public constant name = "Beryl Dollar";
    string public constant symbol = "BRYL";
    uint8 public constant decimals = 6;

    /// @notice The one account that mints. Slot 0, which the genesis state fills.
    address public issuer;
    uint256 public totalSupply;
    mapping(address account => uint256) public balanceOf;
    mapping(address owner => mapping(address spender => uint256)) public allowance;

    /// @notice Issues `value` new dollars to `to`.
    function mint(address to, uint256 value) external {
        if (msg.sender != issuer) revert NotIssuer(msg.sender);
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
    }

    /// @notice Moves `value` from the caller to `to`.
    function transfer(address to, uint256 value) external returns (bool) {
        _transfer(msg.sender, to, value);
        return true;
    }

    /// @notice The same with a note about its purpose.
    function transferWithMemo(address to, uint256 value, bytes32 memo) external returns (bool) {
        _transfer(msg.sender, to, value);
        emit Memo(msg.sender, to, memo);
        return true;
    }

    /// @notice Lets `spender` move up to `value` of the caller's tokens. The largest value never runs out.
    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// @notice Moves `value` from `from` to `to`, out of the caller's allowance.
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed != type(uint256).max) {
            if (allowed < value) revert InsufficientAllowance(msg.sender, allowed, value);
            allowance[from][msg.sender] = allowed - value;
        }
        _transfer(from, to, value);
        return true;
    }

    function _transfer(address from, address to, uint256 value) private {
        uint256 balance = balanceOf[from];
        if (balance < value) revert InsufficientBalance(from, balance, value);
        balanceOf[from] = balance - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
